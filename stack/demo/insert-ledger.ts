import type { TransactionSql } from 'postgres'

/** How long it took until what was given back was. */
const refund = '2 days'

/**
 * Books every payment that was made, and those that were given back, as private.book_payment does, in the order of time;
 * then the totals beside them.
 */
export async function insertLedger(tx: TransactionSql): Promise<void> {
  await tx`
    insert into public.ledger_transactions
      (id, kind, payment_id, created_at, person_id, source, gross_cents, fee_cents, net_cents, clears_at)
    select pg_temp.id_of(p.id || ' transaction'), p.kind, p.id, p.settled_at, p.payee_id, p.kind,
      p.amount_cents, p.fee_cents, p.amount_cents - p.fee_cents, p.settled_at + private.clearing_time()
    from public.payments p where p.state in ('paid', 'refunded')`
  await tx`
    insert into public.ledger_transactions
      (id, kind, payment_id, created_at, person_id, source, gross_cents, fee_cents, net_cents, clears_at)
    select pg_temp.id_of(p.id || ' refund'), 'refund', p.id, p.settled_at + ${refund}::text::interval, p.payee_id, p.kind,
      -p.amount_cents, -p.fee_cents, p.fee_cents - p.amount_cents, p.settled_at + private.clearing_time()
    from public.payments p where p.state = 'refunded'`
  await tx`
    insert into public.ledger_entries (transaction_id, account, person_id, label, amount_cents)
    select t.id, e.account, e.person, e.label, e.cents * sign(t.gross_cents)
    from public.payments p join public.ledger_transactions t on t.payment_id = p.id,
    lateral (values (1, 'processor', null, 'payment', -p.amount_cents), (2, 'creator', p.payee_id, 'sale', p.amount_cents),
                    (3, 'creator', p.payee_id, 'fee', -p.fee_cents), (4, 'platform', null, 'fee', p.fee_cents))
      as e (place, account, person, label, cents)
    where e.cents <> 0
    order by t.created_at, t.id, e.place`
  await tx`select private.recount_money()`
}
