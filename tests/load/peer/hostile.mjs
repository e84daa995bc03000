// Measures the feed and sign-in while 64 hostile callers use the Data API (class queries in Parse Server). The stack
// must have rate limits and trust a proxy, because every hostile caller and every user sends its own IP address.
import { startLoadProcess } from '../load-process.mjs'
import { formatInteger, median } from '../report.mjs'
import { rows } from './rows.mjs'

/**
 * @typedef {import('../http-load.mjs').LoadRequest} LoadRequest
 * @typedef {import('../hostile-load.mjs').HostileRequest} HostileRequest
 */

const attackers = 64
/** A row must keep this share of its request rate under attack. */
const goal = 0.8
const measured = [
  { name: 'feed', connections: 16 },
  { name: 'sign-in', connections: 4 },
]

/** The environment variables of a stack for these measurements. */
export const hostileEnv = { RATE_LIMITS: 'on', TRUST_PROXY: '1', DATA_API_CPU_PERCENT: '15' }

/** Adds a client's IP address, as a proxy does. @param {LoadRequest} request @param {number} index */
const withAddress = (request, index) => ({
  ...request,
  headers: { ...request.headers, 'X-Forwarded-For': `10.${index % 200}.${Math.floor(index / 200)}.7` },
})

/**
 * Returns hostile requests: regular expressions that take exponential time (the caller hangs up early), embedded lists,
 * and scans without an index.
 *
 * @param {string} publishableKey
 * @returns {Record<'ours' | 'parse', HostileRequest[]>}
 */
function hostileRequests(publishableKey) {
  const regex = '^(.+)+(.+)+(.+)+\\d$'
  const ours = [
    { path: `/rest/v1/posts?select=id&content=match.${encodeURIComponent(regex)}`, hangUpAfterMs: 100 },
    { path: '/rest/v1/posts?select=id,comments(*,comments(*)),likes(*),profiles(*,posts(*))' },
    { path: '/rest/v1/posts?select=id&content=ilike.*zzz*' },
    { path: '/rest/v1/posts?select=*&order=content.desc&limit=100' },
    { path: '/rest/v1/profiles?select=*,profile_counts(*),posts(*)&order=created_at.desc' },
  ]
  const where = (/** @type {object} */ value) => encodeURIComponent(JSON.stringify(value))
  const parse = [
    {
      path: `/parse/classes/Post?keys=objectId&where=${where({ content: { $regex: regex } })}`,
      hangUpAfterMs: 100,
    },
    { path: '/parse/classes/Message?limit=1000&include=conversation,sender,receiver,conversation.low' },
    { path: `/parse/classes/Post?where=${where({ content: { $regex: 'zzz' } })}` },
    { path: '/parse/classes/Post?order=-content&limit=1000' },
    { path: '/parse/classes/Profile?limit=1000&order=bio' },
  ]
  const perAttacker = (
    /** @type {{ path: string, hangUpAfterMs?: number }[]} */ requests,
    /** @type {object} */ headers,
  ) =>
    Array.from({ length: attackers * requests.length }, (_, index) => ({
      ...requests[Math.floor(index / attackers)],
      path: requests[Math.floor(index / attackers)]?.path ?? '',
      headers: { ...headers, 'X-Forwarded-For': `172.16.${index % attackers}.9` },
    }))
  return {
    ours: perAttacker(ours, { apikey: publishableKey }),
    parse: perAttacker(parse, { 'X-Parse-Application-Id': 'app' }),
  }
}

/**
 * Measures each row, alternately alone and under attack.
 *
 * @param {import('./compare.mjs').Servers} running a stack with rate limits; Parse Server is skipped if it has no URL
 * @param {{ seconds: number, rounds: number }} options
 * @param {string[]} [names] the rows
 * @returns {Promise<import('./table.mjs').OwnResult[]>}
 */
export async function measureHostile(
  { urls, data },
  { seconds, rounds },
  names = measured.map(({ name }) => name),
) {
  const attacks = hostileRequests(data.publishableKey)
  const results = []
  for (const { name, connections } of measured.filter((candidate) => names.includes(candidate.name))) {
    const row = rows.find((candidate) => candidate.name === name)
    const requests = row?.requests(data)
    if (!row || !requests) throw new Error(`There is no row named ${name}.`)
    for (const server of /** @type {const} */ (['ours', 'parse'])) {
      const url = urls[server]
      if (url === '') continue
      const users = await startLoadProcess('http-load', {
        url,
        connections,
        requests: requests[server].map(withAddress),
      })
      const hostile = await startLoadProcess('hostile-load', {
        url,
        connections: attackers,
        requests: attacks[server],
      })
      /** @type {{ alone: number[], attacked: number[] }} */
      const rates = { alone: [], attacked: [] }
      try {
        for (let round = 0; round <= rounds; round++) {
          const alone = await users.run(seconds)
          const attack = hostile.run(seconds)
          const attacked = await users.run(seconds)
          await attack
          if (round === 0) continue
          rates.alone.push(alone.rate)
          rates.attacked.push(attacked.rate)
        }
      } finally {
        users.stop()
        hostile.stop()
      }
      const [alone, attacked] = [median(rates.alone), median(rates.attacked)]
      const title = `${row.title} with ${attackers} hostile callers${server === 'parse' ? ', Parse Server' : ''}`
      const value = `${formatInteger(alone)}/s alone, ${formatInteger(attacked)}/s under attack, ${(attacked / alone).toFixed(2)} kept`
      results.push({
        title,
        value,
        goal: `keeps ≥ ${goal}`,
        met: server === 'parse' ? null : attacked >= goal * alone,
      })
    }
  }
  return results
}
