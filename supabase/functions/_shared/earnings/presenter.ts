import type { TransactionType } from '../contract/earnings.ts'
import { type SqlFragment, sql } from '../db/sql.ts'
import { displayName, userCardFields } from '../users/presenter.ts'

/** The ledger kind of each transaction type of the API. */
export const ledgerKinds: Record<TransactionType, string> = {
  subscription: 'subscription',
  tip: 'tip',
  premium_content: 'unlock',
  refund: 'refund',
  payout: 'payout',
  payout_failed: 'payout_failed',
  given_up: 'given_up',
  test_void: 'test_void',
}

/** Returns an SQL expression that converts a ledger kind or source to its transaction type in the API. */
export const apiTransactionType = (kind: SqlFragment) =>
  sql`case ${kind} when 'unlock' then 'premium_content' else ${kind} end`

const maxTitleLength = 40

/** SQL for the payer's name, from the sale `s` and the payer's profile `u`: 'Someone' if a block hides the payer. */
const payerName = sql`case when s.payer_gone then 'Deleted user' else coalesce(${displayName}, 'Someone') end`

/**
 * SQL for a short title of the post `p`: the beginning of its paid text (in `c`), its public text or its teaser. Empty
 * if it has none of them.
 */
const postTitle = sql`(
  select case when char_length(excerpt.content) > ${maxTitleLength}::int
                then rtrim(left(excerpt.content, ${maxTitleLength - 1}::int), ' .,;:!?-–—…') || '…'
              else excerpt.content end
  from (select btrim(regexp_replace(
          coalesce(nullif(c.content, ''), nullif(p.content, ''), p.teaser, ''), '\\s+', ' ', 'g')) as content) excerpt)`

/** SQL for the post `p` in a description: its title in quotes, if it has one. */
const postName = sql`case when p.id is null then 'a deleted post'
  else coalesce('“' || nullif(${postTitle}, '') || '”', 'a post') end`

/** SQL for the post that was tipped; empty if the tip was not for a post. */
const tippedPost = sql`case when s.post_id is null then '' else ' for ' || ${postName} end`

/** SQL for the length of a subscription; empty if it is paid by the month. */
const subscriptionLength = sql`case when s.months > 1 then ' for ' || s.months || ' months' else '' end`

/**
 * SQL for the description of the transaction `t`, with its sale `s`, payer `u`, post `p`, paid content `c` and payout
 * `o`, each of which may be absent.
 */
export const transactionDescription = sql`case t.kind
  when 'subscription' then 'Subscription from ' || ${payerName} || ${subscriptionLength}
  when 'tip' then 'Tip from ' || ${payerName} || ${tippedPost} || coalesce(': “' || s.note || '”', '')
  when 'unlock' then case when s.message_id is null then 'Unlocked ' || ${postName}
    else 'Unlocked a photo in a message' end
  when 'refund' then 'Refund of ' || case t.source
    when 'subscription' then 'a subscription from ' || ${payerName} || ${subscriptionLength}
    when 'tip' then 'a tip from ' || ${payerName} || ${tippedPost}
    else 'the unlock of ' || case when s.message_id is null then ${postName} else 'a photo in a message' end end
  when 'payout' then 'Payout to ' || o.method_name || ' ' || o.method_masked
  when 'payout_failed' then 'Payout returned: ' || o.failure
  when 'test_void' then 'Test money removed'
  else 'Balance forfeited' end`

/** SQL for the `TransactionDetails`, built from the same rows as `transactionDescription`. */
const transactionDetails = sql`json_strip_nulls(json_build_object(
  'buyerDeleted', s.payer_gone,
  'photo', case when s.message_id is not null then true end,
  'post', case when s.post_id is not null or (t.source = 'unlock' and s.message_id is null)
    then json_build_object('deleted', p.id is null, 'title', ${postTitle}) end,
  'months', case when s.months > 1 then s.months end,
  'note', case when t.kind = 'tip' then s.note end,
  'payoutMethod', case when t.kind = 'payout' then o.method_name || ' ' || o.method_masked end,
  'failure', case when t.kind = 'payout_failed' then o.failure end))`

/** SQL for the current time. As a subquery it is evaluated once and can bound an index scan. */
export const currentTime = sql`(select clock_timestamp())`

/** SQL for the status of the transaction `t`. */
export const transactionStatus = sql`case when t.clears_at > ${currentTime} then 'pending' else 'completed' end`

/** SQL for a `Transaction` as JSON text, built from the same rows as `transactionDescription`. */
export const transactionJson = sql`json_build_object(
  'id', t.id, 'type', ${apiTransactionType(sql`t.kind`)},
  'source', case when t.kind = 'refund' then ${apiTransactionType(sql`t.source`)} end,
  'amount', t.net_cents / 100.0, 'gross', t.gross_cents / 100.0, 'fee', t.fee_cents / 100.0,
  'date', t.created_at, 'description', ${transactionDescription}, 'details', ${transactionDetails},
  'status', ${transactionStatus}, 'clearsAt', t.clears_at, 'isTest', t.is_test,
  'person', case when u.id is not null then json_build_object(${userCardFields}) end)::text`
