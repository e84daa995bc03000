import { SignJWT } from 'jose'

/**
 * @typedef {{ userId: string, sessionId: string, claims: string, token: string }} Caller a user, with an
 *   access token and the fields that a caller has in the API's functions
 */

/**
 * Returns benchmark users who have a session, each with an access token. The email addresses of benchmark users
 * begin with `bench`.
 *
 * @param {import('postgres').Sql} sql a superuser's connection
 * @param {string} jwtSecret the secret with which the stack verifies tokens
 * @param {number} count the maximum number of users
 * @param {string[]} [userIds] limits the result to these users
 * @returns {Promise<Caller[]>}
 */
export async function createCallers(sql, jwtSecret, count, userIds) {
  /** @type {{ userId: string, sessionId: string, email: string }[]} */
  const sessions = await sql`
    select s.user_id as "userId", s.id as "sessionId", u.email
    from auth.sessions s join auth.users u on u.id = s.user_id
    where u.email like 'bench%' ${userIds ? sql`and u.id = any(${userIds}::uuid[])` : sql``} order by s.id limit ${count}`
  const secret = new TextEncoder().encode(jwtSecret)
  const now = Math.floor(Date.now() / 1000)
  return await Promise.all(
    sessions.map(async ({ userId, sessionId, email }) => {
      const claims = {
        aud: 'authenticated',
        role: 'authenticated',
        sub: userId,
        email,
        session_id: sessionId,
        aal: 'aal1',
        iat: now,
        exp: now + 3600,
      }
      const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret)
      return { userId, sessionId, claims: JSON.stringify(claims), token }
    }),
  )
}
