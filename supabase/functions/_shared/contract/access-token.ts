import { z } from 'zod'
import { currentPassword } from './auth.ts'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { nameField } from './text.ts'

/** The prefix of personal access tokens. People and secret scanners recognize the tokens by it. */
export const accessTokenPrefix = 'ovp_'

/**
 * What a personal access token allows in the parts of the API that tokens may call (`http/access-token.ts`). `read`,
 * which every token has, allows reading what its owner can see, except conversations. `write` allows changes.
 * `messages` allows reading conversations and, with `write`, sending messages.
 */
export const AccessTokenScope = z.enum(['read', 'write', 'messages'])
export type AccessTokenScope = z.infer<typeof AccessTokenScope>

/** The lifetimes that a token can have, in days. A token without one does not expire. */
export const accessTokenLifetimes = [30, 90, 365] as const

export const AccessToken = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(AccessTokenScope),
  createdAt: Timestamp,
  /** Null if the token does not expire. */
  expiresAt: Timestamp.nullable(),
  /** When the token was last used, recorded at most once a minute. Null if it has never been used. */
  lastUsedAt: Timestamp.nullable(),
})
export type AccessToken = z.infer<typeof AccessToken>

export const CreateAccessTokenRequest = z.strictObject({
  name: nameField(
    { min: 1, max: limits.accessTokenName.max },
    {
      tooShort: 'Please enter a name.',
      tooLong: 'A name can have at most 60 characters.',
      unusable: 'Please enter a name without hidden characters.',
    },
  ),
  /** `read` is added if it is missing. */
  scopes: z.array(AccessTokenScope).max(3).transform(withRead),
  expiresInDays: z.literal(accessTokenLifetimes).nullable(),
  currentPassword,
})
export type CreateAccessTokenRequest = z.infer<typeof CreateAccessTokenRequest>

/** Returns the scopes and `read`, without duplicates, in the order of `AccessTokenScope`. */
function withRead(scopes: AccessTokenScope[]): AccessTokenScope[] {
  return AccessTokenScope.options.filter((scope) => scope === 'read' || scopes.includes(scope))
}

/** A new token. `token` is in no other response: only its hash is stored. */
export const CreatedAccessToken = AccessToken.extend({ token: z.string() })
export type CreatedAccessToken = z.infer<typeof CreatedAccessToken>

/** A short-lived JWT for the Data API. `expires_at` is in seconds since 1970, `expires_in` in seconds. */
export const TokenExchangeResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number(),
  expires_at: z.number(),
})
