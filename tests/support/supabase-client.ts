import { createClient, type RealtimeClientOptions, type SupabaseClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import type { Connection } from './connection.ts'

/** A WebSocket class for supabase-js, because Node 20 has none. The cast is needed because the two types differ. */
export const webSocketTransport = WebSocket as unknown as NonNullable<RealtimeClientOptions['transport']>

/**
 * Creates a supabase-js client that neither stores nor renews sessions. Without a token, it acts as a visitor or, with
 * the secret key, as the service role.
 */
export const createTestClient = (
  { apiUrl, publishableKey }: Pick<Connection, 'apiUrl' | 'publishableKey'>,
  token: string | null = null,
  key = publishableKey,
): SupabaseClient =>
  createClient(apiUrl, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: webSocketTransport },
    ...(token ? { accessToken: async () => token } : {}),
  })
