import postgres from 'postgres'
import { readConnection } from '../support/connection.ts'
import type { SessionUser } from './database.ts'

/** Fans pay creators, creators request payouts and admins settle payouts. Creators have posts and a payout method. */
export type Participants = { fans: SessionUser[]; creators: SessionUser[]; admins: SessionUser[] }

/**
 * The number of operations by name. Failures are counted under the name and the SQLSTATE, such as `payout PT409`. A
 * SQLSTATE that does not begin with `PT` is followed by the error message.
 */
export type OperationCounts = Record<string, number>

const connect = () => postgres(readConnection().databaseUrl, { max: 1, onnotice: () => undefined })

/** SQL for a function that sets the JWT claims of a user, or of the service role if `caller` is null. */
const setCallerFunction = `
create function pg_temp.set_caller(caller jsonb) returns void language plpgsql as $set_caller$
begin
  perform set_config('request.jwt.claim.sub', coalesce(caller ->> 'id', ''), true),
          set_config('request.jwt.claims', jsonb_build_object('sub', caller ->> 'id', 'session_id', caller ->> 'sessionId',
            'role', case when caller is null then 'service_role' else 'authenticated' end)::text, true);
end
$set_caller$`

/** SQL for a function that returns a random user from a list. */
const pickFunction = `
create function pg_temp.pick(users jsonb) returns jsonb language sql volatile
as $pick$ select users -> floor(random() * jsonb_array_length(users))::int $pick$`

/**
 * SQL that runs the operations, each in its own transaction. Operations pick among the latest payments and payouts,
 * including those of other sessions, so that several sessions use the same rows repeatedly and at the same time.
 */
const runOperations = `
do $run_operations$
declare
  options jsonb := current_setting('test.options')::jsonb;
  counts jsonb := '{}';
  names text[] := array['tip', 'tip', 'tip', 'unlock', 'unlock', 'subscribe', 'renew', 'pro', 'settle', 'settle',
    'settle', 'settle', 'settle', 'settle', 'refund', 'payout', 'payout', 'again', 'paid', 'failed', 'clear'];
  operation text;
  fan jsonb;
  creator jsonb;
  caller jsonb;
  payment uuid;
  payout uuid;
  post uuid;
  price numeric;
begin
  perform setseed((options ->> 'seed')::float8);
  for step in 1 .. (options ->> 'steps')::int loop
    operation := names[1 + floor(random() * array_length(names, 1))::int];
    fan := pg_temp.pick(options -> 'fans');
    creator := pg_temp.pick(options -> 'creators');
    caller := case
      when operation in ('tip', 'unlock', 'subscribe') then fan
      when operation in ('payout', 'again') then creator
      when operation in ('paid', 'failed') then pg_temp.pick(options -> 'admins')
    end;
    -- Resets the caller's rate limits in a separate transaction. Locking these rows in the same transaction as an
    -- operation would cause deadlocks that do not exist in the product.
    delete from private.rate_limits r
    where r.ctid = any (array(
      select free.ctid from private.rate_limits free where free.subject = caller ->> 'id' for update skip locked));
    commit;
    begin
      perform pg_temp.set_caller(caller);
      case operation
        when 'tip' then
          perform private.begin_tip(gen_random_uuid(), (creator ->> 'id')::uuid, (100 + floor(random() * 30000))::numeric / 100, 'test');
        when 'unlock' then
          select p.id, p.premium_price into post, price from public.posts p
          where p.author_id = (creator ->> 'id')::uuid order by random() limit 1;
          perform private.begin_unlock(post, price, 'test');
        when 'subscribe' then
          perform private.begin_subscription((creator ->> 'id')::uuid, 'test');
        when 'renew' then
          insert into public.payments
            (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
          select 'subscription', s.subscriber_id, s.creator_id, s.id, s.period_end, s.price_cents,
                 private.platform_fee_cents(s.price_cents), 'test'
          from public.subscriptions s where s.subscriber_id = (fan ->> 'id')::uuid and s.state = 'active'
          order by random() limit 1 on conflict do nothing;
        when 'pro' then
          insert into public.creator_plans (user_id, price_cents) values ((fan ->> 'id')::uuid, 1999)
          on conflict do nothing;
          insert into public.payments (kind, payer_id, plan_id, period_start, amount_cents, fee_cents, provider)
          select 'creator_pro', s.user_id, s.id, coalesce(s.period_end, clock_timestamp()), s.price_cents, 0, 'test'
          from public.creator_plans s
          where s.user_id = (fan ->> 'id')::uuid and s.state <> 'ended' and not exists (
            select from public.payments p where p.plan_id = s.id and p.state = 'pending')
          on conflict do nothing;
        when 'settle', 'refund' then
          select p.id into payment from public.payments p
          where p.payer_id = (fan ->> 'id')::uuid
            and (random() < 0.2 or (p.state = 'pending') = (operation = 'settle'))
          order by p.created_at desc limit 1 offset floor(random() * 3);
          if payment is null then
            raise 'no payment' using errcode = 'PT404';
          elsif operation = 'settle' then
            perform private.settle_payment(payment, 'test_' || payment);
          elsif not private.refund_payment(payment) then
            raise 'not paid' using errcode = 'PT409';
          end if;
        when 'payout', 'again' then
          payout := gen_random_uuid();
          if operation = 'again' then
            select o.id into payout from public.payouts o where o.user_id = (creator ->> 'id')::uuid
            order by o.created_at desc limit 1 offset floor(random() * 3);
          end if;
          perform private.request_payout(coalesce(payout, gen_random_uuid()),
            case when operation = 'payout' and random() < 0.7 then (5000 + floor(random() * 20000))::numeric / 100 end,
            test_money => true);
          -- This transaction holds the lock on the balance, so no other transaction can have changed the balance.
          if operation = 'payout' and (
            select sum(t.net_cents) from public.ledger_transactions t
            where t.user_id = (creator ->> 'id')::uuid and t.clears_at <= clock_timestamp()) < 0 then
            raise 'the payout exceeds the balance' using errcode = 'XX000';
          end if;
        when 'paid', 'failed' then
          select o.id into payout from public.payouts o where o.user_id = (creator ->> 'id')::uuid
            and (random() < 0.2 or o.state = 'requested')
          order by o.created_at desc limit 1 offset floor(random() * 2);
          perform private.settle_payout(payout, operation, 'Test note', true);
        when 'clear' then
          -- Clears all earnings of a creator. Because of the lock, concurrent ledger writes happen either before or
          -- after the update.
          perform from public.creator_balances b where b.user_id = (creator ->> 'id')::uuid for update;
          perform set_config('session_replication_role', 'replica', true);
          update public.ledger_transactions t set clears_at = t.created_at
          where t.user_id = (creator ->> 'id')::uuid and t.clears_at > t.created_at;
      end case;
    exception when others then
      operation := operation || ' ' || sqlstate || case when sqlstate like 'PT%' then '' else ' ' || sqlerrm end;
    end;
    commit;
    counts := counts || jsonb_build_object(operation, coalesce((counts ->> operation)::int, 0) + 1);
  end loop;
  perform set_config('test.counts', counts::text, false);
end
$run_operations$`

/**
 * Runs `steps` random operations on a new connection and returns how often each operation ran. The same seed produces
 * the same operations, as far as concurrent sessions allow.
 */
export async function runRandomOperations(
  participants: Participants,
  seed: number,
  steps: number,
): Promise<OperationCounts> {
  const sql = connect()
  try {
    // The test is about locks, not disk speed.
    await sql`set synchronous_commit = off`
    await sql.unsafe(setCallerFunction)
    await sql.unsafe(pickFunction)
    await sql`select set_config('test.options', ${JSON.stringify({ ...participants, seed, steps })}, false)`
    await sql.unsafe(runOperations)
    const [row] = await sql<
      { counts: OperationCounts }[]
    >`select current_setting('test.counts')::jsonb as counts`
    return row?.counts ?? {}
  } finally {
    await sql.end()
  }
}
