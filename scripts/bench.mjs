import './lib/node-version.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { measureAdminUsers } from '../tests/load/admin-users.mjs'
import { measureAnalytics } from '../tests/load/analytics.mjs'
import { postJson, registerAndSignIn } from '../tests/load/api-client.mjs'
import { startBaselineServer } from '../tests/load/baseline-server.mjs'
import { benchGrowth } from '../tests/load/call-costs.mjs'
import { fillDatabase, startFeedLoad } from '../tests/load/feed.mjs'
import { measureTimeToScreen } from '../tests/load/message-to-screen.mjs'
import { baselineTarget, measureTimeToSocket, stackTarget } from '../tests/load/message-to-socket.mjs'
import { benchMemory } from '../tests/load/mixed-load.mjs'
import {
  createFeedReader,
  measureDownloads,
  measureSlowLoad,
  pages,
  totalBytes,
} from '../tests/load/page-load.mjs'
import { runPeer } from '../tests/load/peer/run.mjs'
import {
  addHeading,
  addLine,
  formatInteger,
  formatKilobytes,
  formatMegabytes,
  formatMilliseconds,
  formatReport,
  formatSeconds,
  formatTimes,
  median,
  quantile,
} from '../tests/load/report.mjs'
import { onSignal } from '../tests/load/signals.mjs'
import { maxOpenFiles, measureOpenSockets } from '../tests/load/sockets.mjs'
import { cloneProject, measureStart } from '../tests/load/start-time.mjs'
import { browserVersion, findBrowser } from './lib/browser.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { startTestStack } from './lib/test-stack.mjs'
import { ensureWebBuild } from './lib/web-build.mjs'

// `npm run bench`: runs the benchmarks on temporary data and prints the results.
//   npm run bench -- start landing home messages sockets feed admin analytics    only the named benchmarks
//   npm run bench -- --clone                                also the first start of a clone, including npm install
//   npm run bench -- sockets 500 1000                       with these socket counts
//   npm run bench -- feed --plain                           posts without media, for comparison
//   npm run bench -- growth 1000000                         the cost of each call with 1,000 posts and with this many
//   npm run bench -- soak 1200                              the memory of each part of the stack over this many seconds
//   npm run bench -- --peer                                 a comparison with other servers; see docs/performance.md
//   npm run bench -- --peer feed message                    only the named rows of the comparison
//     --users 10000 --posts 100000                          how much data; these and the following options need --peer
//     --rounds 5 --seconds 2                                rounds per row, and seconds per server in each round
//     --peer-dir <folder>                                   keeps Parse Server’s packages for the next run
//     --markdown <file>                                     also writes the table to this file

const { values: options, positionals: args } = parseArgs({
  allowPositionals: true,
  options: {
    clone: { type: 'boolean' },
    plain: { type: 'boolean' },
    peer: { type: 'boolean' },
    users: { type: 'string' },
    posts: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    'peer-dir': { type: 'string' },
    markdown: { type: 'string' },
  },
})

const users = 10_000
const posts = { large: 100_000, small: 1000 }
// Many short rounds, so that other activity on the machine affects the three loads of the feed benchmark equally.
const rounds = 9
const secondsPerRound = 2.5
const slowLoads = { count: 3, readyMs: 3000, blockingMs: 300 }
const messages = { count: 200, perSecond: 4 }
const roundTrips = 500
const adminUsers = 100_000
const sockets = { steps: [1000, 2000, 5000, 10_000, 15_000, 19_500, 30_000, 40_000], targetMs: 100 }

const benchEnv = { RATE_LIMITS: 'off', CAPTCHA_PROVIDER: 'none', DEMO_DATA: 'off', LOG_LEVEL: 'error' }
// Clears environment variables that would affect the results.
for (const name of ['PUBLIC_URL', 'SMTP_URL', 'TRUST_PROXY', 'HOST', 'DEV_ORIGIN']) process.env[name] = ''

const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
]

async function benchStart() {
  addHeading('Start (from npm start until the stack is ready, with demo data)')
  const folder = mkdtempSync(join(tmpdir(), 'ovation-bench-'))
  try {
    const dataDir = join(folder, 'data')
    addLine('first start, packages and web app present', formatSeconds(await measureStart(root, dataDir)))
    addLine('second start', formatSeconds(await measureStart(root, dataDir)))
    if (!options.clone) return
    const copy = join(folder, 'clone')
    cloneProject(root, copy)
    addLine(
      'first start of a clone, including npm install',
      formatSeconds(await measureStart(copy, join(copy, '.data'))),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string[]} benchmarks */
async function benchInBrowser(benchmarks) {
  const path = await findBrowser(console.log)
  const stack = await startTestStack(benchEnv)
  const { apiUrl } = stack.connection
  const browser = await chromium.launch({
    executablePath: path,
    args: browserArgs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const removeHandler = onSignal(() => void browser.close())
  try {
    if (benchmarks.includes('landing')) {
      addHeading(`Landing page, signed out (${browserVersion(path)})`)
      await benchPageLoad(browser, apiUrl, 'landing')
    }
    if (benchmarks.includes('home')) {
      const reader = await createFeedReader(browser, apiUrl)
      addHeading(`Home feed, signed in (${browserVersion(path)})`)
      await benchPageLoad(browser, apiUrl, 'feed', reader)
    }
    if (benchmarks.includes('messages')) {
      const [sender, receiver] = [
        await registerAndSignIn(apiUrl, 'bench_one'),
        await registerAndSignIn(apiUrl, 'bench_other'),
      ]
      // With an unconfirmed email address, users can only message their followers.
      await postJson(`${apiUrl}/api/users/${sender.id}/follow`, {}, receiver.token)
      addHeading('Messages')
      const baseline = await startBaselineServer(stack.connection.databaseUrl)
      const targets = [
        stackTarget(stack.connection, sender, receiver),
        baselineTarget(baseline, sender, receiver),
      ]
      const [stackTimes = [], baselineTimes = []] = await measureTimeToSocket(targets, roundTrips).finally(
        baseline.stop,
      )
      const ratio = median(stackTimes) / median(baselineTimes)
      addLine(
        `from the request to the receiver’s socket (${formatInteger(roundTrips)} messages), median`,
        formatMilliseconds(median(stackTimes)),
        {
          target: '≤ 1.3 × baseline',
          met: ratio <= 1.3,
        },
      )
      addLine('  p99', formatMilliseconds(quantile(stackTimes, 0.99)))
      addLine(
        'the same with the baseline server (HTTP, one insert, a WebSocket), median',
        formatMilliseconds(median(baselineTimes)),
      )
      addLine('  p99', formatMilliseconds(quantile(baselineTimes, 0.99)))
      addLine('  ratio of the medians', ratio.toFixed(2))
      const screen = await measureTimeToScreen(browser, apiUrl, sender, receiver, messages)
      addLine(
        `from Enter to the receiver’s screen (${messages.count} messages), median`,
        formatMilliseconds(median(screen)),
      )
      addLine('  p99', formatMilliseconds(quantile(screen, 0.99)))
    }
  } finally {
    removeHandler()
    await browser.close()
    await stack.stop()
  }
}

/**
 * @param {import('playwright').Browser} browser
 * @param {string} origin
 * @param {keyof typeof pages} name
 * @param {Awaited<ReturnType<typeof createFeedReader>>} [storageState] signs the browser in
 */
async function benchPageLoad(browser, origin, name, storageState) {
  const context = await browser.newContext({ storageState })
  const { scripts, requests } = await measureDownloads(context, origin, name)
  await context.close()
  const { budget } = pages[name]
  const brotliBytes = totalBytes(scripts, 'br')
  addLine(`JavaScript in ${scripts.length} files, brotli`, formatKilobytes(brotliBytes), {
    target: `≤ ${formatKilobytes(budget.scriptBytes)}`,
    met: brotliBytes <= budget.scriptBytes,
  })
  addLine('the same with gzip', formatKilobytes(totalBytes(scripts, 'gzip')))
  addLine('requests', formatInteger(requests.length))
  const loads = []
  for (let index = 0; index < slowLoads.count; index++)
    loads.push(await measureSlowLoad(browser, origin, name, storageState))
  const readyMs = median(loads.map((load) => load.readyMs))
  const blockingMs = median(loads.map((load) => load.blockingMs))
  const startMs = median(loads.map((load) => load.startMs))
  const phone = `on a slow phone, median of ${slowLoads.count}`
  addLine(`${name === 'feed' ? 'first post' : 'heading'} ${phone}`, formatSeconds(readyMs), {
    target: `≤ ${formatSeconds(slowLoads.readyMs)}`,
    met: readyMs <= slowLoads.readyMs,
  })
  addLine('  blocking time', formatMilliseconds(blockingMs), {
    target: `< ${formatMilliseconds(slowLoads.blockingMs)}`,
    met: blockingMs < slowLoads.blockingMs,
  })
  if (pages[name].startsLater) addLine('  blocking time when the app starts', formatMilliseconds(startMs))
}

/** @param {number[]} counts how many sockets to open; empty for the default steps */
async function benchSockets(counts) {
  const openFilesLimit = maxOpenFiles()
  // The process that opens the sockets also has other files open.
  const steps = (counts.length > 0 ? counts : sockets.steps).filter((step) => step <= openFilesLimit - 300)
  const stack = await startTestStack(benchEnv)
  try {
    const { results, stopReason } = await measureOpenSockets(stack, steps, sockets.targetMs)
    addHeading(
      `Open sockets, each joined to a user’s topic, at 10 messages per second (ended: ${stopReason})`,
    )
    addLine('open files allowed per process', formatInteger(openFilesLimit))
    for (const step of results) {
      addLine(
        `${formatInteger(step.sockets)} sockets: message delivery, median and p99`,
        `${formatMilliseconds(step.medianMs)}, ${formatMilliseconds(step.p99Ms)}`,
      )
      addLine(
        '  memory of the gateway, of the whole stack',
        `${formatMegabytes(step.gatewayBytes)}, ${formatMegabytes(step.stackBytes)}`,
      )
    }
    addLine(
      `most sockets with a median below ${sockets.targetMs} ms`,
      formatInteger(results.at(-1)?.sockets ?? 0),
    )
  } finally {
    await stack.stop()
  }
}

async function benchAdmin() {
  const stack = await startTestStack(benchEnv)
  try {
    addHeading(`Admin lists with ${formatInteger(adminUsers)} users`)
    for (const { name, times, total } of await measureAdminUsers(stack, { users: adminUsers, requests: 100 }))
      addLine(name, `${formatTimes(times)}, ${total} in total`)
  } finally {
    await stack.stop()
  }
}

async function benchAnalytics() {
  const stack = await startTestStack(benchEnv)
  try {
    addHeading('Analytics')
    for (const { name, times } of await measureAnalytics(stack, { posts: 300, requests: 200 }))
      addLine(name, formatTimes(times))
  } finally {
    await stack.stop()
  }
}

/** @typedef {import('../tests/load/load-worker.mjs').LoadResult} LoadResult */

/** @param {LoadResult[]} rounds @param {keyof LoadResult} metric */
const medianOf = (rounds, metric) => median(rounds.map((round) => round[metric]))

async function benchFeed() {
  const stacks = []
  const loads = []
  try {
    for (const count of [posts.large, posts.small]) {
      const stack = await startTestStack(benchEnv)
      stacks.push(stack)
      await fillDatabase(stack, { users, posts: count, plain: options.plain === true })
      loads.push(await startFeedLoad(stack))
    }
    const [large, small] = loads
    if (!large || !small) throw new Error('The stacks did not start.')
    /** @type {{ api: LoadResult[], database: LoadResult[], small: LoadResult[] }} */
    const results = { api: [], database: [], small: [] }
    // A warm-up round, which compiles code, prepares statements and fills caches.
    for (const load of [large.database, large.api, small.api]) await load.run(secondsPerRound)
    const namedLoads = /** @type {const} */ ([
      ['database', large.database],
      ['api', large.api],
      ['small', small.api],
    ])
    for (let round = 0; round < rounds; round++) {
      // The order alternates, so that no load has the advantage of always running first.
      for (const [name, load] of round % 2 ? namedLoads.toReversed() : namedLoads) {
        results[name].push(await load.run(secondsPerRound))
      }
    }
    reportFeed(results)
  } finally {
    for (const load of loads) load.stop()
    for (const stack of stacks) await stack.stop()
  }
}

/** @param {{ api: LoadResult[], database: LoadResult[], small: LoadResult[] }} results */
function reportFeed({ api, database, small }) {
  const ratios = api.map((round, index) => round.rate / (database[index]?.rate ?? Number.NaN))
  const growth = api.map((round, index) => round.rate / (small[index]?.rate ?? Number.NaN))
  addHeading(
    `GET /api/posts with ${formatInteger(users)} users and ${formatInteger(posts.large)} posts (medians of ${rounds} alternating rounds)`,
  )
  addLine('requests per second, relative to its SQL alone', median(ratios).toFixed(2), {
    target: '≥ 0.50',
    met: median(ratios) >= 0.5,
  })
  addLine(`requests per second, relative to ${formatInteger(posts.small)} posts`, median(growth).toFixed(2), {
    target: '≥ 0.90',
    met: median(growth) >= 0.9,
  })
  addLine('requests per second', formatInteger(medianOf(api, 'rate')))
  addLine(
    '  median and p99 of one request',
    `${formatMilliseconds(medianOf(api, 'medianMs'))}, ${formatMilliseconds(medianOf(api, 'p99Ms'))}`,
  )
  addLine('SQL alone, transactions per second', formatInteger(medianOf(database, 'rate')))
  addLine(
    '  median and p99 of one transaction',
    `${formatMilliseconds(medianOf(database, 'medianMs'))}, ${formatMilliseconds(medianOf(database, 'p99Ms'))}`,
  )
  addLine(
    'CPU time of the load generator per request',
    `${formatInteger(medianOf(api, 'clientCpuMicros'))} µs HTTP, ${formatInteger(medianOf(database, 'clientCpuMicros'))} µs SQL`,
  )
}

/** @param {string[]} names the rows to measure; empty for all of them */
async function benchPeer(names) {
  const numberOr = (/** @type {string | undefined} */ value, /** @type {number} */ fallback) =>
    Number(value ?? fallback)
  return await runPeer(names, benchEnv, {
    users: numberOr(options.users, users),
    posts: numberOr(options.posts, posts.large),
    rounds: numberOr(options.rounds, 5),
    seconds: numberOr(options.seconds, 2),
    uploads: 10,
    roundTrips: 200,
    packageFolder: options['peer-dir'],
    markdown: options.markdown,
  })
}

try {
  await ensurePackages()
  await ensureBinaries()
  await ensureWebBuild()
  const counts = args.map(Number).filter((count) => count > 0)
  const names = args.filter((arg) => !(Number(arg) > 0))
  const load = loadavg()[0] ?? 0
  if (load > cpus().length / 4) {
    console.log(
      `This machine is busy (load ${load.toFixed(1)}), so the results will be worse than on an idle machine.`,
    )
  }
  const benchmarks =
    names.length > 0
      ? names
      : ['start', 'landing', 'home', 'messages', 'sockets', 'feed', 'admin', 'analytics']
  const startedAt = performance.now()
  console.log(`${cpus().length} CPUs (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`)
  if (options.peer) {
    process.exit((await benchPeer(names)) ? 0 : 1)
  }
  if (benchmarks.includes('start')) await benchStart()
  if (['landing', 'home', 'messages'].some((name) => benchmarks.includes(name)))
    await benchInBrowser(benchmarks)
  if (benchmarks.includes('sockets')) await benchSockets(counts)
  if (benchmarks.includes('feed')) await benchFeed()
  if (benchmarks.includes('admin')) await benchAdmin()
  if (benchmarks.includes('analytics')) await benchAnalytics()
  const startBenchStack = () => startTestStack(benchEnv)
  if (benchmarks.includes('growth')) await benchGrowth(startBenchStack, counts[0] ?? 100_000)
  if (benchmarks.includes('soak')) await benchMemory(startBenchStack, counts[0] ?? 1200)
  // Printed at the end, because the stacks print progress messages during the benchmarks.
  console.log(formatReport())
  console.log(
    `\nDone in ${formatSeconds(performance.now() - startedAt)}. All benchmark data has been deleted.`,
  )
  process.exit(0)
} catch (error) {
  console.log(formatReport())
  fail(`Could not run the benchmarks: ${errorMessage(error)}`)
}
