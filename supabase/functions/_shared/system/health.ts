import type { Health } from '../contract/config.ts'
import { asAnon } from '../db/run.ts'
import { env } from '../env.ts'

/** Milliseconds that each part has to answer, and that an answer is good for. */
const patience = 2000
const goodFor = 1000

type Checks = Health['checks']
type Verdict = Checks[keyof Checks]

let last: { at: number; health: Promise<Health> } | null = null

/** Whether every part answers. Asked by many at once, the parts are asked once a second. */
export function readHealth(): Promise<Health> {
  if (!last || performance.now() - last.at > goodFor) last = { at: performance.now(), health: askAll() }
  return last.health
}

async function askAll(): Promise<Health> {
  const [database, auth, storage, realtime] = await Promise.all([
    verdict(inTime(asAnon((tx) => tx`select 1`))),
    verdict(ask(env.health.auth)),
    verdict(ask(env.health.storage)),
    verdict(ask(env.health.realtime)),
  ])
  const checks = { database, auth, storage, realtime }
  return { status: Object.values(checks).every((check) => check === 'ok') ? 'ok' : 'failing', checks }
}

/** Its own address for this says whether a part is well. */
async function ask(address: string) {
  const response = await fetch(address, {
    headers: { apikey: env.publishableKey },
    signal: AbortSignal.timeout(patience),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${response.status}`)
}

const verdict = (answer: Promise<unknown>): Promise<Verdict> =>
  answer.then(
    () => 'ok',
    () => 'failing',
  )

function inTime<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too late')), patience)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
