import { SignJWT } from 'jose'

/** @typedef {{ userId: string, sessionId: string, claims: string, token: string }} Caller as the API knows them */

/**
 * Some of the people, each with the token of their session.
 *
 * @param {import('postgres').Sql} sql a superuser's connection, after `fillPeople`
 * @param {string} jwtSecret of the stack
 * @param {number} count
 * @returns {Promise<Caller[]>}
 */
export async function signIn(sql, jwtSecret, count) {
  /** @type {{ userId: string, sessionId: string, email: string }[]} */
  const people = await sql`
    select s.user_id as "userId", s.id as "sessionId", u.email
    from auth.sessions s join auth.users u on u.id = s.user_id
    where u.email like 'bench%' order by s.id limit ${count}`
  const secret = new TextEncoder().encode(jwtSecret)
  const now = Math.floor(Date.now() / 1000)
  return await Promise.all(
    people.map(async ({ userId, sessionId, email }) => {
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
