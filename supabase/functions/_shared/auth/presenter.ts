import { sql } from '../db/sql.ts'

/** SQL for an `AccessToken` as JSON, read from the token `t`. */
export const accessTokenJson = sql`json_build_object(
  'id', t.id, 'name', t.name, 'scopes', t.scopes, 'createdAt', t.created_at, 'expiresAt', t.expires_at,
  'lastUsedAt', t.last_used_at)`
