import type { TransactionType } from '../contract/earnings.ts'
import { type Piece, sql } from '../db/page.ts'
import { displayName } from '../users/card.ts'

/** Kinds of the ledger by what they are called to people. */
export const kindOf: Record<TransactionType, string> = {
  subscription: 'subscription',
  tip: 'tip',
  premium_content: 'unlock',
  refund: 'refund',
  payout: 'payout',
  payout_failed: 'payout_failed',
  given_up: 'given_up',
}

/** What money came of, or a transaction is, as people are told of it. */
export const sourceOf = (kind: Piece) =>
  sql`case ${kind} when 'unlock' then 'premium_content' else ${kind} end`

/** Characters that are told of a post. */
const longestTitle = 40

/** Who paid, of the sale `s` and their profile `u`. Of somebody in a block with the caller no name is told. */
const payer = sql`case when s.payer_gone then 'Deleted user' else coalesce(${displayName}, 'Someone') end`

/** The post `p` with its paid words `c`: the beginning of its text. */
const title = sql`(
  select case when p.id is null then 'a deleted post' when w.words = '' then 'a post'
              when char_length(w.words) > ${longestTitle}::int
                then '“' || rtrim(left(w.words, ${longestTitle - 1}::int), ' .,;:!?-–—…') || '…”'
              else '“' || w.words || '”' end
  from (select btrim(regexp_replace(
          coalesce(nullif(c.content, ''), nullif(p.content, ''), p.teaser, ''), '\\s+', ' ', 'g')) as words) w)`

/** Which post a tip was given for, if for one. */
const about = sql`case when s.post_id is null then '' else ' for ' || ${title} end`

/**
 * A transaction `t` in words, with its sale `s`, payer `u`, post `p`, the post's paid words `c` and its payout `o`, of
 * which each may be missing.
 */
export const description = sql`case t.kind
  when 'subscription' then 'Subscription by ' || ${payer}
  when 'tip' then 'Tip by ' || ${payer} || ${about} || coalesce(': “' || s.note || '”', '')
  when 'unlock' then 'Unlock of ' || ${title}
  when 'refund' then 'Refund of ' || case t.source
    when 'subscription' then 'a subscription by ' || ${payer}
    when 'tip' then 'a tip by ' || ${payer} || ${about}
    else 'the unlock of ' || ${title} end
  when 'payout' then 'Payout to ' || o.method_name || ' ' || o.method_masked
  when 'payout_failed' then 'Payout returned: ' || o.failure
  else 'Given up' end`
