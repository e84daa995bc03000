import { limits } from '../contract/limits.ts'
import type { CheckoutAnswer, CreatorPro } from '../contract/payment.ts'
import { asService, asUser, type Sql } from '../db/run.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { type PaymentsPort, port } from './port.ts'
import { chargeAndSettle } from './settle.ts'

const failed = () => new ApiError(503, 'Failed to upgrade. Please try again.', { code: 'payment_failed' })

type Row = { billing: boolean; plan: CreatorPro['plan']; lapsed: string | null }

/** Creator Pro as it is for the caller. */
export async function readCreatorPro(caller: Caller): Promise<CreatorPro> {
  const [[row], [customer]] = await Promise.all([
    asUser(caller, (tx) => plan(tx, caller)),
    asService(
      'who somebody is to the provider is not for callers to say',
      (tx) => tx<{ known: boolean }[]>`
        select private.customer_of(${port?.provider ?? null}::text, ${caller.userId}::text::uuid) is not null as known`,
    ),
  ])
  return {
    billing: row?.billing ?? false,
    price: limits.creatorProPrice,
    plan: row?.plan ?? null,
    lapsedAt: row?.plan ? null : (row?.lapsed ?? null),
    portal: Boolean(port?.elsewhere && customer?.known),
  }
}

const plan = (tx: Sql, caller: Caller) => tx<Row[]>`
  select private.creator_pro_billing() as billing,
         (select json_build_object('state', s.state, 'periodEnd', s.period_end, 'cancelled', s.cancelled_at is not null)
          from public.creator_plans s
          -- One that was cancelled and is over counts as ended before the job has come by.
          where s.user_id = ${caller.userId}::text::uuid and s.state <> 'ended'
            and (s.cancelled_at is null or s.period_end > now())) as plan,
         (select to_json(max(coalesce(s.ended_at, s.period_end))) #>> '{}' from public.creator_plans s
          where s.user_id = ${caller.userId}::text::uuid and s.periods > 0) as lapsed`

/**
 * Upgrades the caller to Creator Pro for a month, and for each that follows; paid once however often it is called. A
 * cancelled plan whose month is not over goes on, and costs nothing.
 *
 * @returns Creator Pro as it is now, where `isNew` says that something was to be paid; or the page where it is paid
 * @throws ApiError 403 for a read-only account, 409 where nothing is paid for it, 503 `payment_failed` when nothing was
 *   paid
 */
export async function upgrade(
  caller: Caller,
): Promise<{ answer: CreatorPro; isNew: boolean } | CheckoutAnswer> {
  const isNew = port ? await pay(caller, port) : false
  if (typeof isNew === 'object') return isNew
  const answer = await readCreatorPro(caller)
  // Taken back while it was being paid; or no payments are taken here, and none was before.
  if (answer.plan?.state !== 'active') throw failed()
  return { answer, isNew }
}

/** Begin, charge, settle. False when there was nothing to pay. */
async function pay(caller: Caller, to: PaymentsPort): Promise<boolean | CheckoutAnswer> {
  const [begun] = await asUser(
    caller,
    (tx) => tx<{ payment: string | null }[]>`
      select private.begin_creator_plan(${to.provider}::text) as payment`,
  )
  if (!begun?.payment) return false
  const settled = await chargeAndSettle(begun.payment, to)
  if (settled === 'void') throw failed()
  return settled === 'paid' || settled
}

/**
 * Ends the caller's plan with its month; doing it again changes nothing. One that is not paid, or is over, ends at once.
 *
 * @throws ApiError 404 without one
 */
export async function cancelCreatorPro(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.cancel_creator_plan()`)
}
