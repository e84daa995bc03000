import type { ClientInfo } from '../auth/client-info.ts'
import { confirmOwnPassword } from '../auth/sign-in.ts'
import { signOut } from '../auth/supabase-auth.ts'
import type { DeleteAccountRequest } from '../contract/account.ts'
import { setStatementTimeout } from '../db/statement-timeout.ts'
import type { Caller } from '../http/caller.ts'
import { asUser } from '../http/run-as.ts'
import { isTestMode } from '../payments/test-mode.ts'

/**
 * Deletes the caller's account permanently and ends all of its sessions. The password is checked with Auth, and a wrong
 * password counts as a failed sign-in.
 *
 * @throws ApiError 401 if the session has ended, or `invalid_credentials` for a wrong password; 409 `balance_left` if
 *   the account has a balance of at least the minimum payout, unless `giveUpBalance` forfeits it; 429; 503 if Auth is
 *   unavailable
 */
export async function deleteAccount(
  caller: Caller,
  { password, giveUpBalance = false }: DeleteAccountRequest,
  client: ClientInfo,
): Promise<void> {
  const accessToken = await confirmOwnPassword(caller, password, 'password', client)
  try {
    await asUser(caller, (tx) => [
      setStatementTimeout(tx),
      tx`select private.delete_own_account(${giveUpBalance}::boolean, ${isTestMode}::boolean)`,
    ])
  } catch (error) {
    await signOut(accessToken)
    throw error
  }
}
