import { asService } from '../db/run.ts'
import { ApiError } from '../http/errors.ts'

const usernameTaken = 'Username is already taken'
const emailTaken = 'Email is already registered'

/**
 * Refuses a registration whose username or address is taken, naming the fields.
 *
 * @throws ApiError 409
 */
export async function checkFree(username: string, email: string): Promise<void> {
  const [taken] = await asService(
    'a visitor may not read who has which address',
    (tx) => tx<{ username: boolean; email: boolean }[]>`
      select exists (select from public.profiles p where lower(p.username) = lower(${username}::text)) as username,
             exists (select from public.accounts a where lower(a.email) = lower(${email}::text)) as email`,
  )
  if (!taken?.username && !taken?.email) return
  throw new ApiError(409, taken.username ? usernameTaken : emailTaken, {
    code: taken.username ? 'username_taken' : 'email_taken',
    errors: {
      ...(taken.username ? { username: [usernameTaken] } : {}),
      ...(taken.email ? { email: [emailTaken] } : {}),
    },
  })
}
