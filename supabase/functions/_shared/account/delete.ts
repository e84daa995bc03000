import { tryPassword } from '../auth/password.ts'
import { type Client, endSession } from '../auth/provider.ts'
import type { DeleteAccountRequest } from '../contract/account.ts'
import { asUser } from '../db/run.ts'
import { ApiError, unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

/**
 * How long the database may take for it: an account with 40,000 posts takes as long as other calls may. Whatever stands in
 * front of the API has to wait longer (`stack/gateway/patience.ts`): nobody is to hear that it failed when it happens.
 */
const patience = '2min'

/**
 * Deletes the caller's account for good, with every session it has: their pages and sockets end with those. The password
 * is asked of Auth, and a wrong one counts as a failed sign-in does.
 *
 * @throws ApiError 401 `invalid_credentials` for a wrong password, 409 `balance_left` while money is owed that nobody
 *   gave up, 429
 */
export async function deleteAccount(
  caller: Caller,
  { password, giveUpBalance = false }: DeleteAccountRequest,
  client: Client,
): Promise<void> {
  const [account] = await asUser(
    caller,
    (tx) => tx<{ email: string }[]>`
      select a.email from public.accounts a where a.user_id = ${caller.userId}::text::uuid`,
  )
  if (!account) throw unauthorized()
  const session = await checkPassword(account.email, password, client)
  try {
    await asUser(caller, (tx) => [
      tx`select set_config('statement_timeout', ${patience}, true)`,
      tx`select private.delete_own_account(${giveUpBalance}::boolean)`,
    ])
  } catch (error) {
    // It was only opened to ask for the password, and did not go with the account.
    await endSession(session)
    throw error
  }
}

/** The token of the session that asking for the password opens. */
async function checkPassword(email: string, password: string, client: Client): Promise<string> {
  try {
    return (await tryPassword({ email, password }, client)).access_token
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') throw error
    const message = 'This password is not right.'
    throw new ApiError(401, message, { code: error.code, errors: { password: [message] } })
  }
}
