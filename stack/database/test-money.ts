import { withSuperuser } from './client.ts'

/** Returns a sentence about the test money in creators' balances and unsettled payouts, or null if there is none. */
export async function describeTestMoney(url: string): Promise<string | null> {
  const [status] = await withSuperuser(
    url,
    (sql) => sql<{ creators: number; dollars: string; payouts: number }[]>`
      select s.creators, to_char(s.amount_cents / 100.0, 'FM999999999990.00') as dollars, s.payouts
      from private.test_money_status() s`,
  )
  if (!status || status.creators === 0) return null
  return `There is still test money: $${status.dollars} (creators: ${status.creators}, unsettled payouts: ${status.payouts}).`
}
