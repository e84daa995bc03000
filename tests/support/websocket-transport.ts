import type { RealtimeClientOptions } from '@supabase/supabase-js'
import WebSocket from 'ws'

/** A WebSocket class for supabase-js, because Node 20 has none. The two packages type the same class differently. */
export const webSocketTransport = WebSocket as unknown as NonNullable<RealtimeClientOptions['transport']>
