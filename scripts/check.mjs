import './lib/node-version.mjs'
import { findBrowser, findHeadlessShell } from './lib/browser.mjs'
import { databaseChecks, loadBudgetCheck, report, staticChecks } from './lib/checks.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { startTestStack } from './lib/test-stack.mjs'
import { ensureWebBuild } from './lib/web-build.mjs'

// `npm run check`: runs the static checks, the database checks and the download budget check.
try {
  await ensurePackages()
  await ensureBinaries()
  await ensureWebBuild()
  const browser = findHeadlessShell() ?? (await findBrowser(console.log))
  let failed = report(await staticChecks())
  const stack = await startTestStack({
    RATE_LIMITS: 'off',
    CAPTCHA_PROVIDER: 'none',
    DEMO_DATA: 'off',
    LOG_LEVEL: 'error',
  })
  try {
    failed += report(await databaseChecks(stack.connection.databaseUrl))
    failed += report([await loadBudgetCheck(stack.connection.apiUrl, browser)])
  } finally {
    await stack.stop()
  }
  process.exit(failed === 0 ? 0 : 1)
} catch (error) {
  fail(`Could not run the checks: ${errorMessage(error)}`)
}
