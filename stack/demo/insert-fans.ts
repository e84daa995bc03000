import type { TransactionSql } from 'postgres'
import type { Fan } from './fans.ts'
import { rowsOf, uidOf } from './insert-people.ts'

const day = 86_400_000

/**
 * The fans' accounts and profiles, while triggers rest: each name would be compared with all others otherwise, and there
 * are hundreds. checkDemo looks for what those triggers would have made.
 */
export async function insertFans(tx: TransactionSql, fans: Fan[], now: Date): Promise<void> {
  const rows = rowsOf(
    fans.map(({ username, name, joined, age, country }) => ({
      id: uidOf(username),
      email: `${username}@demo.test`,
      username,
      name,
      first: name.split(' ')[0],
      last: name.split(' ').slice(1).join(' '),
      joined: new Date(now.getTime() - joined * day),
      age,
      country,
    })),
  )
  const given = tx`jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, email text, username text, name text,
    first text, last text, joined timestamptz, age smallint, country text)`
  // No password matches an empty hash.
  await tx`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
      raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change,
      email_change_token_new, email_change_token_current, reauthentication_token)
    select r.id, 'authenticated', 'authenticated', r.email, '', r.joined,
      '{"provider": "email", "providers": ["email"]}'::jsonb,
      jsonb_build_object('sub', r.id, 'email', r.email, 'email_verified', true, 'adult_confirmed', true),
      r.joined, r.joined, '', '', '', '', '', ''
    from ${given}`
  await tx`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data, created_at, updated_at)
    select gen_random_uuid(), 'email', r.id::text, r.id,
      jsonb_build_object('sub', r.id, 'email', r.email, 'email_verified', true, 'phone_verified', false),
      r.joined, r.joined
    from ${given}`
  await tx`
    insert into public.profiles (id, username, full_name, first_name, last_name, content_discoverable,
      show_in_directory, created_at)
    select r.id, r.username, r.name, r.first, r.last, false, false, r.joined from ${given}`
  // 555-0199 is nobody's number.
  await tx`
    insert into public.accounts (user_id, email, phone_number, adult_confirmed_at)
    select r.id, r.email, '+1 202 555 0199', r.joined from ${given}`
  await tx`insert into public.profile_about (user_id, age, country) select r.id, r.age, r.country from ${given}`
  await tx`insert into public.profile_details (user_id) select r.id from ${given}`
  await tx`insert into public.profile_counts (user_id) select r.id from ${given}`
  await tx`insert into public.user_counters (user_id) select r.id from ${given}`
  await tx`insert into public.person_settings (user_id) select r.id from ${given}`
}
