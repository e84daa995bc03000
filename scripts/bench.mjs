import './lib/node-version.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { fill, loadFeed } from '../tests/load/feed.mjs'
import {
  heading,
  kilobytes,
  line,
  median,
  megabytes,
  milliseconds,
  quantile,
  report,
  seconds,
  whole,
} from '../tests/load/figures.mjs'
import { landingScripts } from '../tests/load/landing.mjs'
import { timeToScreen } from '../tests/load/messages.mjs'
import { register } from '../tests/load/people.mjs'
import { onSignal } from '../tests/load/signals.mjs'
import { holdSockets, openFiles } from '../tests/load/sockets.mjs'
import { clone, timeStart } from '../tests/load/starts.mjs'
import { timeToSocket } from '../tests/load/to-socket.mjs'
import { browserVersion, findBrowser } from './lib/browser.mjs'
import { fail, messageOf } from './lib/fail.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { startTestStack } from './lib/test-stack.mjs'
import { ensureWeb } from './lib/web.mjs'

// `npm run bench`: makes its own data in folders of its own, prints the figures, and leaves nothing behind. With
// `-- --clone` also the first start of a fresh clone, which installs the packages. Naming parts runs only those:
// `npm run bench -- start landing messages sockets feed`. `-- sockets 500 1000` tries these numbers; `-- feed --plain` takes posts of text alone, to compare with.

const people = 10_000
const posts = { large: 100_000, small: 1000 }
// Many short ones: what disturbs the machine meanwhile then disturbs all three alike.
const rounds = 9
const secondsEach = 2.5
const messages = { count: 200, perSecond: 4 }
const trips = 500
const sockets = { steps: [1000, 2000, 5000, 10_000, 15_000, 19_500, 30_000, 40_000], aim: 100 }

const quiet = { RATE_LIMITS: 'off', CAPTCHA_PROVIDER: 'none', DEMO_DATA: 'off', LOG_LEVEL: 'error' }
// What would make the stacks of the bench other than everybody's.
for (const name of ['PUBLIC_URL', 'SMTP_URL', 'TRUST_PROXY', 'HOST', 'DEV_ORIGIN']) process.env[name] = ''

const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
]

async function starts() {
  heading('Start (npm start to the ready line, demo data on)')
  const folder = mkdtempSync(join(tmpdir(), 'ovation-bench-'))
  try {
    const dataDir = join(folder, 'data')
    line('first start, packages and web app present', seconds(await timeStart(root, dataDir)))
    line('second start', seconds(await timeStart(root, dataDir)))
    if (!process.argv.includes('--clone')) return
    const copy = join(folder, 'clone')
    clone(root, copy)
    line(
      'first start of a fresh clone, packages installed',
      seconds(await timeStart(copy, join(copy, '.data'))),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string[]} wanted */
async function inTheBrowser(wanted) {
  const path = await findBrowser(console.log)
  const stack = await startTestStack(quiet)
  const { apiUrl } = stack.connection
  const browser = await chromium.launch({
    executablePath: path,
    args: browserArgs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const off = onSignal(() => void browser.close())
  try {
    if (wanted.includes('landing')) {
      const scripts = await landingScripts(browser, apiUrl)
      const br = scripts.reduce((sum, script) => sum + script.br, 0)
      const gzip = scripts.reduce((sum, script) => sum + script.gzip, 0)
      heading(`Landing page, as a visitor (${browserVersion(path)})`)
      line(`JavaScript in ${scripts.length} files, brotli`, kilobytes(br), {
        aim: '≤ 180 kB',
        met: br <= 180_000,
      })
      line('the same with gzip', kilobytes(gzip))
    }
    if (wanted.includes('messages')) {
      const [one, other] = [await register(apiUrl, 'bench_one'), await register(apiUrl, 'bench_other')]
      heading(`A message, ${messages.count} of them`)
      const times = await timeToSocket(stack.connection, one, other, trips)
      const ratio = median(times.stack) / median(times.bare)
      line(
        `from the request to the other’s socket, ${whole(trips)} of them, median`,
        milliseconds(median(times.stack)),
        {
          aim: '≤ 1.5 × bare',
          met: ratio <= 1.5,
        },
      )
      line('  p99', milliseconds(quantile(times.stack, 0.99)))
      line('the same by bare HTTP, one insert and a websocket, median', milliseconds(median(times.bare)))
      line('  p99', milliseconds(quantile(times.bare, 0.99)))
      line('  ratio of the medians', ratio.toFixed(2))
      const screen = await timeToScreen(browser, apiUrl, one, other, messages)
      line('from Enter to the bubble on the other’s screen, median', milliseconds(median(screen)))
      line('  p99', milliseconds(quantile(screen, 0.99)))
    }
  } finally {
    off()
    await browser.close()
    await stack.stop()
  }
}

/** @param {number[]} asked numbers of sockets; none: the usual ones */
async function manySockets(asked) {
  const allowed = openFiles()
  // The process that holds them has files of its own, too.
  const steps = (asked.length > 0 ? asked : sockets.steps).filter((step) => step <= allowed - 300)
  const stack = await startTestStack(quiet)
  try {
    const { held, why } = await holdSockets(stack, steps, sockets.aim)
    heading(`Open sockets, each joined to somebody’s topic, at 10 messages a second (ended: ${why})`)
    line('files that one process may open here', whole(allowed))
    for (const step of held) {
      line(
        `${whole(step.sockets)} sockets, a message, median and p99`,
        `${milliseconds(step.median)}, ${milliseconds(step.p99)}`,
      )
      line(
        '  memory of the process that holds them, of the stack',
        `${megabytes(step.gateway)}, ${megabytes(step.stack)}`,
      )
    }
    line(`most sockets with a median below ${sockets.aim} ms`, whole(held.at(-1)?.sockets ?? 0))
  } finally {
    await stack.stop()
  }
}

/** @typedef {import('../tests/load/orders.mjs').Round} Round */

/** @param {Round[]} taken @param {keyof Round} figure */
const middle = (taken, figure) => median(taken.map((round) => round[figure]))

async function feed() {
  const stacks = []
  const loads = []
  try {
    for (const count of [posts.large, posts.small]) {
      const stack = await startTestStack(quiet)
      stacks.push(stack)
      await fill(stack, { people, posts: count, plain: process.argv.includes('--plain') })
      loads.push(await loadFeed(stack))
    }
    const [large, small] = loads
    if (!large || !small) throw new Error('There is nothing to measure.')
    /** @type {{ api: Round[], database: Round[], small: Round[] }} */
    const taken = { api: [], database: [], small: [] }
    // Once unmeasured: code gets compiled, statements prepared, pages cached.
    for (const load of [large.database, large.api, small.api]) await load.run(secondsEach)
    const turns = /** @type {const} */ ([
      ['database', large.database],
      ['api', large.api],
      ['small', small.api],
    ])
    for (let round = 0; round < rounds; round++) {
      // To and fro, so that none is always the first.
      for (const [name, load] of round % 2 ? turns.toReversed() : turns) {
        taken[name].push(await load.run(secondsEach))
      }
    }
    noteFeed(taken)
  } finally {
    for (const load of loads) load.stop()
    for (const stack of stacks) await stack.stop()
  }
}

/** @param {{ api: Round[], database: Round[], small: Round[] }} taken */
function noteFeed({ api, database, small }) {
  const ratios = api.map((round, index) => round.rate / (database[index]?.rate ?? Number.NaN))
  const growth = api.map((round, index) => round.rate / (small[index]?.rate ?? Number.NaN))
  heading(
    `GET /api/posts at ${whole(people)} people and ${whole(posts.large)} posts (medians of ${rounds} rounds in turn)`,
  )
  line('as a ratio to its SQL straight on the database', median(ratios).toFixed(2), {
    aim: '≥ 0.40',
    met: median(ratios) >= 0.4,
  })
  line(`as a ratio to the same with ${whole(posts.small)} posts`, median(growth).toFixed(2), {
    aim: '≥ 0.90',
    met: median(growth) >= 0.9,
  })
  line('requests a second', whole(middle(api, 'rate')))
  line(
    '  median and p99 of one',
    `${milliseconds(middle(api, 'median'))}, ${milliseconds(middle(api, 'p99'))}`,
  )
  line('the SQL alone, transactions a second', whole(middle(database, 'rate')))
  line(
    '  median and p99 of one',
    `${milliseconds(middle(database, 'median'))}, ${milliseconds(middle(database, 'p99'))}`,
  )
  line(
    'processor time of the clients themselves, each',
    `${whole(middle(api, 'clientCpu'))} µs HTTP, ${whole(middle(database, 'clientCpu'))} µs SQL`,
  )
}

try {
  await ensurePackages()
  await ensureBinaries()
  await ensureWeb()
  const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
  const numbers = words.map(Number).filter((number) => number > 0)
  const named = words.filter((word) => !(Number(word) > 0))
  const busy = loadavg()[0] ?? 0
  if (busy > cpus().length / 4) {
    console.log(
      `Other programs keep this machine busy (load ${busy.toFixed(1)}): the figures will be worse than they are.`,
    )
  }
  // Each stack says what it does in lines of its own; the figures come together at the end.
  const wanted = named.length > 0 ? named : ['start', 'landing', 'messages', 'sockets', 'feed']
  const began = performance.now()
  console.log(`${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`)
  if (wanted.includes('start')) await starts()
  if (wanted.includes('landing') || wanted.includes('messages')) await inTheBrowser(wanted)
  if (wanted.includes('sockets')) await manySockets(numbers)
  if (wanted.includes('feed')) await feed()
  console.log(report())
  console.log(`\nDone in ${seconds(performance.now() - began)}; nothing is left behind.`)
  process.exit(0)
} catch (error) {
  console.log(report())
  fail(`The bench could not be run: ${messageOf(error)}`)
}
