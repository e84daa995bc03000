import type { RealtimeClientOptions } from '@supabase/supabase-js'
import WebSocket from 'ws'

/** Sockets for Node 20, which has none of its own. The two packages describe the same class differently. */
export const transport = WebSocket as unknown as NonNullable<RealtimeClientOptions['transport']>
