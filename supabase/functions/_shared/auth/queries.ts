import { isErrorCode } from '../db/errors.ts'
import { asService } from '../db/run.ts'
import { ApiError } from '../http/errors.ts'

type Wish = { username: string; email: string; fullName: string }

/** What stands in the way of an account, by the field that it concerns. */
const problems = {
  username_reserved: { field: 'username', message: 'This username is reserved' },
  username_taken: { field: 'username', message: 'Username is already taken' },
  email_taken: { field: 'email', message: 'Email is already registered' },
  email_barred: { field: 'email', message: 'This email address cannot be used here' },
  name_unusable: { field: 'fullName', message: 'Full name contains characters that cannot be used' },
  name_reserved: { field: 'fullName', message: 'This name is reserved' },
} as const

/**
 * Refuses a registration whose names the database would not store, whose username or address is taken, or whose address
 * is barred, naming the fields.
 *
 * @throws ApiError 400, 409
 */
export async function checkFree({ username, email, fullName }: Wish): Promise<void> {
  const found = await asService(
    'a visitor may not read who has which address',
    (tx) => tx<{ problem: keyof typeof problems }[]>`
      select 'username_' || p as problem from private.username_problem(${username}::text) p where p is not null
      union all
      select 'email_taken' where exists (
        select from public.accounts a where lower(a.email) = lower(${email}::text))
      union all
      select 'email_barred' where private.is_barred(${email}::text)
      union all
      select case when private.is_house_name(${fullName}::text) then 'name_reserved' else 'name_unusable' end
      where private.is_house_name(${fullName}::text) or not private.is_presentable_name(${fullName}::text)`,
  )
  const [first] = found
  if (!first) return
  const { problem } = first
  const errors: Record<string, string[]> = {}
  for (const each of found) errors[problems[each.problem].field] = [problems[each.problem].message]
  throw new ApiError(problem.endsWith('_taken') ? 409 : 400, problems[problem].message, {
    ...(isErrorCode(problem) ? { code: problem } : {}),
    errors,
  })
}
