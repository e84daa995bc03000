import postgres from 'postgres'
import { readConnection } from '../support/connection.ts'
import type { Person } from './support.ts'

/** Who plays: fans pay creators, creators have it paid out, admins settle. Each creator has posts and a payout method. */
export type Scene = { fans: Person[]; creators: Person[]; admins: Person[] }

/** How often each move was made; refused ones by the move and why, as `payout PT409`. */
export type Made = Record<string, number>

const connect = () => postgres(readConnection().databaseUrl, { max: 1, onnotice: () => undefined })

/** Becomes somebody; nobody is the service. */
const be = `
create function pg_temp.be(who jsonb) returns void language plpgsql as $be$
begin
  perform set_config('request.jwt.claim.sub', coalesce(who ->> 'id', ''), true),
          set_config('request.jwt.claims', jsonb_build_object('sub', who ->> 'id', 'session_id', who ->> 'sessionId',
            'role', case when who is null then 'service_role' else 'authenticated' end)::text, true);
end
$be$`

const pick = `
create function pg_temp.pick(people jsonb) returns jsonb language sql volatile
as $pick$ select people -> floor(random() * jsonb_array_length(people))::int $pick$`

/**
 * The moves, each a transaction of its own. What they begin with is what any of those who play beside each other did
 * last, so that the same payment and the same payout are met again and again, also by two at once.
 */
const play = `
do $play$
declare
  scene jsonb := current_setting('test.scene')::jsonb;
  made jsonb := '{}';
  names text[] := array['tip', 'tip', 'tip', 'unlock', 'unlock', 'subscribe', 'renew', 'pro', 'settle', 'settle',
    'settle', 'settle', 'settle', 'settle', 'refund', 'payout', 'payout', 'again', 'paid', 'failed', 'clear'];
  move text;
  fan jsonb;
  creator jsonb;
  who jsonb;
  payment uuid;
  payout uuid;
  which uuid;
  price numeric;
begin
  perform setseed((scene ->> 'seed')::float8);
  for step in 1 .. (scene ->> 'steps')::int loop
    move := names[1 + floor(random() * array_length(names, 1))::int];
    fan := pg_temp.pick(scene -> 'fans');
    creator := pg_temp.pick(scene -> 'creators');
    who := case when move in ('tip', 'unlock', 'subscribe') then fan when move in ('payout', 'again') then creator
                when move in ('paid', 'failed') then pg_temp.pick(scene -> 'admins') end;
    -- Calls are not counted. Forgotten beforehand: held beside a move, the counts of its other calls made circles that there
    -- are not.
    delete from private.rate_limits r
    where r.ctid = any (array(
      select held.ctid from private.rate_limits held where held.subject = who ->> 'id' for update skip locked));
    commit;
    begin
      perform pg_temp.be(who);
      case move
        when 'tip' then
          perform private.begin_tip(gen_random_uuid(), (creator ->> 'id')::uuid, (100 + floor(random() * 30000))::numeric / 100, 'test');
        when 'unlock' then
          select p.id, p.premium_price into which, price from public.posts p
          where p.author_id = (creator ->> 'id')::uuid order by random() limit 1;
          perform private.begin_unlock(which, price, 'test');
        when 'subscribe' then
          perform private.begin_subscription((creator ->> 'id')::uuid, 'test');
        when 'renew' then
          insert into public.payments
            (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
          select 'subscription', s.subscriber_id, s.creator_id, s.id, s.period_end, s.price_cents,
                 private.fee_of(s.price_cents), 'test'
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
            and (random() < 0.2 or (p.state = 'pending') = (move = 'settle'))
          order by p.created_at desc limit 1 offset floor(random() * 3);
          if payment is null then
            raise 'nothing to take' using errcode = 'PT404';
          elsif move = 'settle' then
            perform private.settle_payment(payment, 'test_' || payment);
          elsif not private.refund_payment(payment) then
            raise 'not paid' using errcode = 'PT409';
          end if;
        when 'payout', 'again' then
          payout := gen_random_uuid();
          if move = 'again' then
            select o.id into payout from public.payouts o where o.person_id = (creator ->> 'id')::uuid
            order by o.created_at desc limit 1 offset floor(random() * 3);
          end if;
          perform private.request_payout(coalesce(payout, gen_random_uuid()),
            case when move = 'payout' and random() < 0.7 then (5000 + floor(random() * 20000))::numeric / 100 end);
          -- Whoever changes the balance waits for this: what is left now is what this left.
          if move = 'payout' and (
            select sum(t.net_cents) from public.ledger_transactions t
            where t.person_id = (creator ->> 'id')::uuid and t.clears_at <= clock_timestamp()) < 0 then
            raise 'more was taken than there was' using errcode = 'XX000';
          end if;
        when 'paid', 'failed' then
          select o.id into payout from public.payouts o where o.person_id = (creator ->> 'id')::uuid
            and (random() < 0.2 or o.state = 'requested')
          order by o.created_at desc limit 1 offset floor(random() * 2);
          perform private.settle_payout(payout, move, 'as it happened');
        when 'clear' then
          -- A week goes by for one of them, all at once: for whoever books meanwhile, before or after.
          perform from public.creator_balances b where b.person_id = (creator ->> 'id')::uuid for update;
          perform set_config('session_replication_role', 'replica', true);
          update public.ledger_transactions t set clears_at = t.created_at
          where t.person_id = (creator ->> 'id')::uuid and t.clears_at > t.created_at;
      end case;
    exception when others then
      move := move || ' ' || sqlstate || case when sqlstate like 'PT%' then '' else ' ' || sqlerrm end;
    end;
    commit;
    made := made || jsonb_build_object(move, coalesce((made ->> move)::int, 0) + 1);
  end loop;
  perform set_config('test.made', made::text, false);
end
$play$`

/** Makes `steps` random moves on a connection of its own; the same ones for the same seed, as far as others let it. */
export async function playMoves(scene: Scene, seed: number, steps: number): Promise<Made> {
  const sql = connect()
  try {
    // What is tried is who waits for whom, not how fast a disk is.
    await sql`set synchronous_commit = off`
    await sql.unsafe(be)
    await sql.unsafe(pick)
    await sql`select set_config('test.scene', ${JSON.stringify({ ...scene, seed, steps })}, false)`
    await sql.unsafe(play)
    const [row] = await sql<{ made: Made }[]>`select current_setting('test.made')::jsonb as made`
    return row?.made ?? {}
  } finally {
    await sql.end()
  }
}
