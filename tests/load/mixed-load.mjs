import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCallers } from './callers.mjs'
import { fillWithActivity } from './fill-activity.mjs'
import { measureParts } from './memory.mjs'
import { addHeading, addLine, formatInteger, formatMegabytes, median } from './report.mjs'
import { readSecrets, withSql } from './stack.mjs'

/**
 * @typedef {import('./stack.mjs').Stack} Stack
 * @typedef {import('./callers.mjs').Caller} Caller
 * @typedef {{ name: string, bytes: number[], isFlat: boolean }} PartMemory the memory of a part of the stack over time
 */

const users = 200
const posts = 2000
/** How many workers send calls in parallel. Each sends one call after another, as a different user each time. */
const workers = 8
const samples = 60
/** The growth from the second to the last third of a run that still counts as flat: allocators and caches fluctuate. */
const tolerance = { ratio: 1.1, bytes: 8e6 }

/**
 * Measures the memory of every part of a stack under a mixed load, and adds it to the report.
 *
 * @param {() => Promise<Stack & { stop: () => Promise<void> }>} startStack
 * @param {number} seconds
 */
export async function benchMemory(startStack, seconds) {
  const stack = await startStack()
  try {
    await fillWithActivity(stack, { posts, users })
    const { parts, calls, failures } = await measureMemoryUnderLoad(stack, seconds)
    addHeading(
      `Memory under a mixed load for ${formatInteger(seconds)} s (${formatInteger(calls)} calls), in six samples`,
    )
    for (const { name, bytes, isFlat } of parts) {
      const steps = Array.from(
        { length: 6 },
        (_, step) => bytes[Math.floor(((step + 1) * bytes.length) / 6) - 1] ?? 0,
      )
      addLine(name, steps.map(formatMegabytes).join(', '), { target: 'flat', met: isFlat })
    }
    addLine('failed calls', failures.length === 0 ? 'none' : failures.join('; '), {
      target: 'none',
      met: failures.length === 0,
    })
  } finally {
    await stack.stop()
  }
}

/**
 * Sends reads and writes on behalf of several users in parallel, and measures the memory of every part of the stack.
 * The first third of the run is not evaluated, because caches, pools and compiled code grow at first.
 *
 * @param {Stack} stack a stack that `fillWithActivity` has filled
 * @param {number} seconds
 * @returns {Promise<{ parts: PartMemory[], calls: number, failures: string[] }>}
 */
export async function measureMemoryUnderLoad(stack, seconds) {
  const { pid } = JSON.parse(readFileSync(stack.connectionFile, 'utf8'))
  const { callers, postIds } = await readCallers(stack)
  const end = performance.now() + seconds * 1000
  const result = { calls: 0, failures: /** @type {string[]} */ ([]) }
  const load = Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let turn = worker; performance.now() < end; turn += workers) {
        const caller = callers[turn % callers.length]
        const other = callers[(turn * 7 + 1) % callers.length]
        const postId = postIds[turn % postIds.length]
        if (!caller || !other || !postId || caller === other) continue
        const failure = await makeCall(stack.connection, caller, other.userId, postId, turn)
        result.calls += 1
        if (failure && result.failures.length < 10) result.failures.push(failure)
      }
    }),
  )
  /** @type {Record<string, number>[]} */
  const measured = []
  // Takes at least three samples, one for each third, even if the machine is too slow for `samples`.
  for (let next = 1; next <= 3 || performance.now() < end; next++) {
    measured.push(measureParts(pid))
    await sleep(end - ((samples - next) / samples) * seconds * 1000 - performance.now())
  }
  await load
  const names = [...new Set(measured.flatMap(Object.keys))]
  const parts = names.map((name) =>
    toPartMemory(
      name,
      measured.map((parts) => parts[name] ?? 0),
    ),
  )
  return { parts, ...result }
}

/** @param {string} name @param {number[]} bytes @returns {PartMemory} */
function toPartMemory(name, bytes) {
  const third = Math.floor(bytes.length / 3)
  const [before, after] = [median(bytes.slice(third, 2 * third)), median(bytes.slice(2 * third))]
  return { name, bytes, isFlat: after <= Math.max(before * tolerance.ratio, before + tolerance.bytes) }
}

/** @param {Stack} stack */
async function readCallers(stack) {
  const { jwtSecret } = readSecrets(stack)
  return await withSql(stack.connection.databaseUrl, async (sql) => {
    const rows = await sql`select id from bench.posts limit 500`
    return { callers: await createCallers(sql, jwtSecret, 100), postIds: rows.map(({ id }) => id) }
  })
}

const read = (/** @type {string} */ path) => ({ path, method: 'GET', body: undefined })
const write = (/** @type {string} */ path, /** @type {object} */ body) => ({ path, method: 'POST', body })

/**
 * Makes one call, a different one each turn. About one call in four is a write.
 *
 * @param {Stack['connection']} connection
 * @param {Caller} caller
 * @param {string} otherId another user
 * @param {string} postId
 * @param {number} turn
 * @returns {Promise<string | null>} a description of the failure, or null
 */
async function makeCall({ apiUrl, publishableKey }, caller, otherId, postId, turn) {
  const calls = [
    read('/api/posts'),
    read('/api/posts?feed=following'),
    read(`/api/users/${otherId}`),
    write('/api/messages', {
      id: randomUUID(),
      receiverId: otherId,
      content: 'A message of average length.',
    }),
    read(`/api/messages/${otherId}`),
    read('/api/messages/conversations'),
    read('/api/messages/unread-count'),
    write(`/api/posts/${postId}/like`, {}),
    read('/api/notifications'),
    read(`/api/posts/${postId}/comments`),
    read('/api/discover/posts'),
    write('/api/posts', { content: 'A post of average length, #topic1' }),
    read('/api/posts/search?q=average'),
    read('/api/users/search?q=person'),
    read('/rest/v1/posts?select=*&order=created_at.desc&limit=10'),
    write(`/api/posts/${postId}/comments`, { content: 'A comment.' }),
  ]
  // Shifts by one call after each round of 100 callers, so that every caller makes every call.
  const { path, method, body } = calls[(turn + Math.floor(turn / 100)) % calls.length] ?? read('/api/posts')
  try {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${caller.token}`,
        apikey: publishableKey,
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    // 403 and 404 are expected: some profiles are not public, some users are blocked or suspended, and some posts are
    // premium.
    return response.ok || [403, 404].includes(response.status)
      ? null
      : `${method} ${path}: ${response.status} ${text.slice(0, 100)}`
  } catch (error) {
    return `${method} ${path}: ${error instanceof Error ? error.message : String(error)}`
  }
}
