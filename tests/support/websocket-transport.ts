import type { RealtimeClientOptions } from '@supabase/supabase-js'
import WebSocket from 'ws'

/** A WebSocket class for supabase-js, because Node 20 has none. The cast is needed because the two types differ. */
export const webSocketTransport = WebSocket as unknown as NonNullable<RealtimeClientOptions['transport']>
