import type { AnalyticsPeriod } from '../contract/analytics.ts'
import type { Sql } from '../db/run.ts'
import { PathId } from '../http/params.ts'
import type { Caller } from '../http/session.ts'

/** Whose figures are asked for, as the path names them, and of which period. */
export type Asked = { userId: string; period: AnalyticsPeriod }

/**
 * The first statement of every call here: the caller asks for their own figures, and is a creator. What is no id at all
 * is nobody's own either.
 *
 * @throws ApiError 401 for an ended session, 403 for anybody else's figures, 403 `creators_only`
 */
export const requireOwn = (tx: Sql, userId: string) =>
  tx`select private.require_own_figures(${PathId.safeParse(userId).data ?? null}::text::uuid)`

/** What a creator got on one day. */
export type CreatorDay = {
  day: string
  views: number
  likes: number
  comments: number
  followers: number
  subscribers: number
}

/** A day on which nothing happened. */
export const nothing: Omit<CreatorDay, 'day'> = {
  views: 0,
  likes: 0,
  comments: 0,
  followers: 0,
  subscribers: 0,
}

/** What the caller got on each day since `since`: one walk down the key. */
export const selectDays = (tx: Sql, caller: Caller, since: string) => tx<CreatorDay[]>`
  select d.day::text as day, d.views, d.likes, d.comments, d.followers, d.subscribers
  from public.creator_days d
  where d.creator_id = ${caller.userId}::text::uuid and d.day >= ${since}::text::date`

export type Source = 'unlock' | 'subscription' | 'tip'
export type EarningDay = { day: string; source: Source; cents: number }

/** What the caller earned on each day since `since`, in cents after the platform's share. */
export const selectEarnings = (tx: Sql, caller: Caller, since: string) => tx<EarningDay[]>`
  select d.day::text as day, d.source, (d.gross_cents - d.fee_cents)::float8 as cents
  from public.earning_days d
  where d.person_id = ${caller.userId}::text::uuid and d.day >= ${since}::text::date`
