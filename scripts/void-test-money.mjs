import './lib/node-version.mjs'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readEnvFile } from './lib/env-file.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'

// `npm run void-test-money`: removes all test money from balances and payouts. Shows what it will remove and asks for
// confirmation, unless called with `-- --yes`. The stack must be running.

/** @typedef {{ creators: number, amount_cents: string, payouts: number }} TestMoney */

/** @param {TestMoney} testMoney */
const describe = ({ creators, amount_cents, payouts }) =>
  `$${(Number(amount_cents) / 100).toFixed(2)} (creators: ${creators}, unsettled payouts: ${payouts})`

async function confirm() {
  if (process.argv.includes('--yes')) return
  if (!process.stdin.isTTY)
    fail('Cannot ask for confirmation without a terminal: use npm run void-test-money -- --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('This cannot be undone. Type yes to confirm: ')
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') fail('Nothing was removed.')
}

readEnvFile()
const connectionFile = join(resolve(root, process.env.DATA_DIR || '.data'), 'connection.json')
if (!existsSync(connectionFile)) {
  fail(`Ovation is not running: ${connectionFile} does not exist. Start it with npm start first.`)
}
await ensurePackages()
// Loaded here because the package may only just have been installed.
const { default: postgres } = await import('postgres')
const { databaseUrl } = JSON.parse(readFileSync(connectionFile, 'utf8'))
const sql = postgres(databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined })
try {
  const [status] = await sql`select * from private.test_money_status()`
  const testMoney = /** @type {TestMoney} */ (status)
  if (testMoney.creators === 0) console.log('No creator has test money.')
  else {
    console.log(
      `Test money: ${describe(testMoney)}. The payouts will be marked as failed and the balances booked back. Real money does not change.`,
    )
    await confirm()
  }
  // Also without creators, because the platform's own share may be left.
  const [removed] = await sql`select * from private.void_test_money()`
  if (testMoney.creators > 0)
    console.log(`Removed test money: ${describe(/** @type {TestMoney} */ (removed))}.`)
} catch (error) {
  fail(`Could not remove the test money: ${errorMessage(error)}`)
} finally {
  await sql.end({ timeout: 2 })
}
