import type { Caller } from '../http/session.ts'
import { isClash, translate } from './errors.ts'
import { giveLane, type Lane, takeLane } from './pool.ts'

/** The tag that makes a transaction's statements. */
export type Sql = Lane

type Statement = PromiseLike<unknown> & { execute(): unknown }
/** What the statements of a transaction answer: one list of rows, or one for each statement. */
type Answers<Given> = Given extends readonly Statement[]
  ? { -readonly [At in keyof Given]: Awaited<Given[At]> }
  : Awaited<Given>
/** The statements of one transaction, in their order. They travel together, so none can wait for another's answer. */
type Work<Given> = (sql: Sql) => Given

/**
 * Runs statements as a signed-in person: every policy sees them. Whether their session still lives is asked ahead of
 * the statements and costs no round trip of its own; of one that does not, nothing is done.
 *
 * @throws ApiError 401 when the session was ended, whatever else went wrong because of it
 */
export async function asUser<const Given extends Statement | readonly Statement[]>(
  caller: Caller,
  work: Work<Given>,
): Promise<Answers<Given>> {
  const { claims, userId } = caller
  return await run({ role: 'authenticated', claims, userId, work, asksAlive: true })
}

/** The same for statements that do nothing for an ended session by themselves: it is not asked ahead of them. */
export async function asGuardedUser<const Given extends Statement | readonly Statement[]>(
  caller: Caller,
  work: Work<Given>,
): Promise<Answers<Given>> {
  const { claims, userId } = caller
  return await run({ role: 'authenticated', claims, userId, work, asksAlive: false })
}

/** Runs statements as a visitor. */
export async function asAnon<const Given extends Statement | readonly Statement[]>(
  work: Work<Given>,
): Promise<Answers<Given>> {
  return await run({ role: 'anon', claims: '{"role":"anon"}', userId: '', work, asksAlive: false })
}

/** Runs statements as whoever calls: a visitor, or somebody signed in. */
export async function asCaller<const Given extends Statement | readonly Statement[]>(
  caller: Caller | null,
  work: Work<Given>,
): Promise<Answers<Given>> {
  return caller ? await asUser(caller, work) : await asAnon(work)
}

/**
 * Runs statements past every policy, for what no caller may do.
 *
 * @param _why one line saying why no caller's rights are enough: it is for whoever reads the call
 */
export async function asService<const Given extends Statement | readonly Statement[]>(
  _why: string,
  work: Work<Given>,
): Promise<Answers<Given>> {
  const role = 'service_role'
  return await run({ role, claims: '{"role":"service_role"}', userId: '', work, asksAlive: false })
}

type Transaction<Given> = {
  role: string
  claims: string
  userId: string
  work: Work<Given>
  asksAlive: boolean
}

/** Milliseconds: who was at work for longer than this and clashed has no time for it all again. */
const shortly = 10_000

/**
 * Runs a transaction, a second time when it soon clashed with another one. That is safe: the database took it back whole
 * before it said so, and `work` only makes statements. A moment later, as whoever it clashed with has to wake first:
 * at once it could take the same lock again before them, and clash once more.
 */
async function run<Given extends Statement | readonly Statement[]>(
  transaction: Transaction<Given>,
): Promise<Answers<Given>> {
  const began = performance.now()
  try {
    return await send(transaction)
  } catch (error) {
    if (!isClash(error) || performance.now() - began > shortly) throw translate(error)
  }
  await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 70))
  try {
    return await send(transaction)
  } catch (error) {
    throw translate(error)
  }
}

/**
 * Sends a whole transaction at once: role and claims for its length, then the statements, then the commit. When one
 * fails, the database refuses those behind it and the commit takes everything back; the first error is the true one.
 * Should `begin` itself be lost with its connection, the rest has no role and is refused.
 */
async function send<Given extends Statement | readonly Statement[]>(
  transaction: Transaction<Given>,
): Promise<Answers<Given>> {
  const lane = await takeLane()
  try {
    return await sendOn(lane, transaction)
  } finally {
    giveLane(lane)
  }
}

async function sendOn<Given extends Statement | readonly Statement[]>(
  lane: Lane,
  { role, claims, userId, work, asksAlive }: Transaction<Given>,
): Promise<Answers<Given>> {
  const given = work(lane)
  const statements: readonly Statement[] = isOne(given) ? [given] : given
  const alive = asksAlive ? [lane`select private.require_session()`] : []
  const sent: Statement[] = [
    lane`begin`,
    // `auth.uid()`, which most policies ask for, finds the id by itself and need not read the claims each time.
    lane`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true),
                set_config('request.jwt.claim.sub', ${userId}, true)`,
    ...alive,
    ...statements,
    lane`commit`,
  ]
  const settled = await Promise.allSettled(sent.map((statement) => statement.execute()))
  for (const one of settled) if (one.status === 'rejected') throw one.reason
  const rows = settled
    .slice(2 + alive.length, -1)
    .map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  return (isOne(given) ? rows[0] : rows) as Answers<Given>
}

const isOne = (given: Statement | readonly Statement[]): given is Statement => 'execute' in given
