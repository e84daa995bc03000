import './lib/node-version.mjs'
import { databaseChecks, report, staticChecks } from './lib/checks.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { startTestStack } from './lib/test-stack.mjs'

// `npm run check`: all checks that are not tests.
try {
  await ensurePackages()
  await ensureBinaries()
  let failed = report(await staticChecks())
  const stack = await startTestStack({ DEMO_DATA: 'off', LOG_LEVEL: 'error' })
  try {
    failed += report(await databaseChecks(stack.connection.databaseUrl))
  } finally {
    await stack.stop()
  }
  process.exit(failed === 0 ? 0 : 1)
} catch (error) {
  fail(`Could not run the checks: ${errorMessage(error)}`)
}
