import type { TransactionSql } from 'postgres'
import { type DemoUser, demoUsers } from './content/users.ts'
import { creatorUsername, userIdOf } from './ids.ts'
import { createRandom } from './random.ts'
import { dayMs } from './time.ts'

export interface Relation {
  from: string
  to: string
  at: Date
}

export interface Relations {
  follows: Relation[]
  requests: Relation[]
  blocks: Relation[]
}

type Pair = [from: string, to: string]

/** `marisolq` is the fan account. It blocks a user, so that the list of blocks in its settings is not empty. */
const blocks: Pair[] = [
  ['marisolq', 'cal_r'],
  ['hana_k', 'cal_r'],
  ['yara_s', 'cal_r'],
  ['signe_r', 'jamal_n'],
]

// In the pairs of the next three lists, the first user follows the second, does not follow them, and has requested to
// follow them, respectively. The demo therefore shows every state of the follow button.
const fixedFollows: Pair[] = [
  ['noormakes', 'farid_k'],
  ['noormakes', 'marisolq'],
  ['marisolq', 'noormakes'],
  ['marisolq', 'nadia_p'],
  ['marisolq', 'gwen_t'],
  ['marisolq', 'walter_f'],
  ['walter_f', 'marisolq'],
]
const notFollowing: Pair[] = [
  ['marisolq', 'mateus_wrench'],
  ['marisolq', 'yuki_ink'],
  ['marisolq', 'nachofilm'],
  ['marisolq', 'tomaszruns'],
  ['marisolq', 'plot17'],
  ['marisolq', 'tess_w'],
  ['noormakes', 'chiamaka_sews'],
]
const requests: Pair[] = [
  ['marisolq', 'farid_k'],
  ['noormakes', 'anika_b'],
  ['walter_f', 'farid_k'],
  ['cal_r', 'nadia_p'],
  ['bridget_n', 'signe_r'],
  ['lwazi_m', 'anika_b'],
]

/**
 * Decides at random who follows whom: creators have many followers, users often follow back, and nobody follows across
 * a block.
 */
export function makeRelations(now: Date): Relations {
  const random = createRandom(17)
  const joined = new Map(demoUsers.map((user) => [user.username, user.joined]))
  const withTime = ([from, to]: Pair): Relation => {
    const days = Math.min(joined.get(from) ?? 0, joined.get(to) ?? 0)
    // Both users have joined by this time. Early times are more likely.
    const ago = days * (1 - random.next() ** 1.4) * 0.97 * dayMs + 600_000
    return { from, to, at: new Date(now.getTime() - ago) }
  }
  const timedBlocks = blocks.map(withTime)
  const excluded = new Set([
    ...blocks.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]),
    ...[...notFollowing, ...requests].map((pair) => pair.join(' ')),
  ])
  const fixed = new Set(fixedFollows.map((pair) => pair.join(' ')))
  const follows = new Map<string, Relation>()
  const follow = (from: string, to: string): void => {
    const key = `${from} ${to}`
    if (from !== to && !excluded.has(key) && !follows.has(key)) follows.set(key, withTime([from, to]))
  }
  for (const [from, to] of fixedFollows) follow(from, to)
  for (const from of demoUsers) {
    for (const to of demoUsers) {
      if (random.chance(followProbability(from, to)) && !fixed.has(`${from.username} ${to.username}`)) {
        follow(from.username, to.username)
        if (!to.theme && random.chance(0.4) && from.visibility === undefined) {
          follow(to.username, from.username)
        }
      }
    }
  }
  return { follows: [...follows.values()], requests: requests.map(withTime), blocks: timedBlocks }
}

function followProbability(from: DemoUser, to: DemoUser): number {
  const activity = from.activity ?? 0.5
  if (to.visibility === 'private') return 0
  if (to.visibility === 'followers') return 0.12 * activity
  if (to.username === creatorUsername) return 0.62 + 0.4 * activity
  if (to.theme) return 0.15 + 0.75 * activity
  return (to.admin ? 0.3 : 0.16) * activity
}

/** Returns the usernames of each follower and the user whom they follow, as `from to`. */
export const followPairs = ({ follows }: Relations): Set<string> =>
  new Set(follows.map(({ from, to }) => `${from} ${to}`))

/** Returns the pairs of usernames, as `from to`, with a block between them in either direction. */
export const blockedPairs = ({ blocks }: Relations): Set<string> =>
  new Set(blocks.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]))

/**
 * Inserts follows, the post alerts of the fan account, follow requests and blocks. The caller must have disabled
 * triggers, because the notifications that they create would have the current time.
 */
export async function insertRelations(tx: TransactionSql, relations: Relations): Promise<void> {
  await tx`
    insert into public.follows (follower_id, followee_id, created_at)
    select r.from, r.to, r.at from jsonb_to_recordset(${rowsOf(relations.follows)}::text::jsonb)
      as r ("from" uuid, "to" uuid, at timestamptz)`
  await tx`
    insert into public.post_alerts (user_id, author_id, level)
    select f.follower_id, f.followee_id,
           case when row_number() over (order by f.created_at) % 2 = 1 then 'all' else 'highlights' end
    from public.follows f join public.accounts a on a.user_id = f.follower_id
    where a.email = 'fan@demo.test'
    order by f.created_at limit 4`
  await tx`
    insert into public.follow_requests (follower_id, followee_id, created_at)
    select r.from, r.to, r.at from jsonb_to_recordset(${rowsOf(relations.requests)}::text::jsonb)
      as r ("from" uuid, "to" uuid, at timestamptz)`
  await tx`
    insert into public.blocks (blocker_id, blocked_id, created_at)
    select r.from, r.to, r.at from jsonb_to_recordset(${rowsOf(relations.blocks)}::text::jsonb)
      as r ("from" uuid, "to" uuid, at timestamptz)`
}

const rowsOf = (relations: Relation[]): string =>
  JSON.stringify(relations.map(({ from, to, at }) => ({ from: userIdOf(from), to: userIdOf(to), at })))
