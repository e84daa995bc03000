import type { CheckoutAnswer, TipAnswer, TipRequest, TipState } from '../contract/payment.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { type PaymentsPort, port } from './port.ts'
import { chargeAndSettle } from './settle.ts'

/** What a tip came to: paid by this call or one before it, or to be paid on a page elsewhere. */
type Tipped = { state: 'new' | 'known'; answer: TipAnswer } | CheckoutAnswer

const failed = () =>
  new ApiError(503, 'Your tip could not be paid. Please try again.', { code: 'payment_failed' })

/**
 * Tips a creator, once for each id however often it is sent.
 *
 * @param tip what to give (US dollars), with an id of the caller's making or none
 * @throws ApiError 400 for oneself, or an amount that is none, 403 for somebody who is no creator, or not open to the
 *   caller, 404 for nobody the caller may know of, or a post that is not theirs, 409 for an id that is taken, 503
 *   `payment_failed` when nothing was paid
 */
export async function tipCreator(
  caller: Caller,
  creator: string,
  { id, amount, note, postId }: TipRequest,
): Promise<Tipped> {
  const tip = id?.toLowerCase() ?? crypto.randomUUID()
  const state = port
    ? await pay(caller, { tip, creator, amount, note: note ?? null, post: postId ?? null }, port)
    : await needsNothing(caller, creator, tip)
  return typeof state === 'string' ? { state, answer: { tipped: true, amount } } : state
}

interface Begun {
  tip: string
  creator: string
  amount: number
  note: string | null
  post: string | null
}

/** Begin, charge, settle. */
async function pay(
  caller: Caller,
  begun: Begun,
  to: PaymentsPort,
): Promise<'new' | 'known' | CheckoutAnswer> {
  const { tip, creator, amount, note, post } = begun
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.begin_tip(${tip}::text::uuid, ${creator}::text::uuid, ${String(amount)}::text::numeric,
                                ${to.provider}::text, ${note}::text, ${post}::text::uuid)`,
    tx<{ state: string }[]>`select p.state from public.payments p where p.id = ${tip}::text::uuid`,
  ])
  if (row?.state === 'paid') return 'known'
  const settled = await chargeAndSettle(tip, to)
  if (settled === 'void') throw failed()
  return settled === 'paid' ? 'new' : settled
}

/** All that can be had where no payments are taken is a tip that was paid before. Nothing is begun. */
async function needsNothing(caller: Caller, creator: string, tip: string): Promise<'known'> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_tippable(${creator}::text::uuid)`,
    tx<{ id: string }[]>`
      select p.id from public.payments p
      where p.id = ${tip}::text::uuid and p.payee_id = ${creator}::text::uuid and p.kind = 'tip' and p.state = 'paid'`,
  ])
  if (!row) throw failed()
  return 'known'
}

/**
 * What has become of a tip of the caller's.
 *
 * @throws ApiError 404 for none of theirs
 */
export async function readTip(caller: Caller, tip: string): Promise<JsonText<TipState>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select json_build_object(
        'state', case when p.state in ('pending', 'paid') then p.state else 'failed' end,
        'amount', p.amount_cents / 100.0)::text as item
      from public.payments p
      where p.id = ${tip}::text::uuid and p.kind = 'tip' and p.payer_id = ${caller.userId}::text::uuid`,
  )
  if (!row) throw notFound('Tip not found')
  return row.item
}
