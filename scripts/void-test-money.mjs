import './lib/node-version.mjs'
import { confirm } from './lib/confirm.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { connectToRunningStack } from './lib/running-stack.mjs'

// `npm run void-test-money`: removes all test money from balances and payouts. Shows what it will remove and asks for
// confirmation, unless called with `-- --yes`. The stack must be running.

/** @typedef {{ creators: number, amount_cents: string, payouts: number }} TestMoney */

/** @param {TestMoney} testMoney */
const describe = ({ creators, amount_cents, payouts }) =>
  `$${(Number(amount_cents) / 100).toFixed(2)} (creators: ${creators}, unsettled payouts: ${payouts})`

const sql = await connectToRunningStack()
try {
  const [status] = await sql`select * from private.test_money_status()`
  const testMoney = /** @type {TestMoney} */ (status)
  if (testMoney.creators === 0) console.log('No creator has test money.')
  else {
    console.log(
      `Test money: ${describe(testMoney)}. The payouts will be marked as failed and the test money removed from the balances. Real money does not change.`,
    )
    await confirm('This cannot be undone.', {
      command: 'npm run void-test-money -- --yes',
      refused: 'Nothing was removed.',
    })
  }
  // Also runs if no creator has test money, because the platform's share of test sales may still be in the ledger.
  const [removed] = await sql`select * from private.void_test_money()`
  if (testMoney.creators > 0)
    console.log(`Removed test money: ${describe(/** @type {TestMoney} */ (removed))}.`)
} catch (error) {
  fail(`Could not remove the test money: ${errorMessage(error)}`)
} finally {
  await sql.end({ timeout: 2 })
}
