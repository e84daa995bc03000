import type { TransactionSql } from 'postgres'
import { profileAbout } from './content/profile-about.ts'
import { type DemoUser, demoPassword, demoUsers } from './content/users.ts'
import { adminUsername, userIdOf } from './ids.ts'
import type { ProfileImages } from './pictures.ts'
import { daysBefore } from './time.ts'

const emailOf = (user: DemoUser): string => user.email ?? `${user.username}@demo.test`

/**
 * Inserts the accounts. The triggers on `auth.users` create everything else that belongs to an account, as they do at
 * registration. Only users with an `email` get a password: the empty hash of the others matches no password.
 */
export async function insertUsers(tx: TransactionSql, users: DemoUser[], now: Date): Promise<void> {
  const rows = users.map((user, index) => ({
    id: userIdOf(user.username),
    email: emailOf(user),
    password: user.email ? demoPassword : null,
    joined: daysBefore(now, user.joined),
    meta: {
      username: user.username,
      full_name: user.name,
      // 555-01xx is reserved for fiction.
      phone_number: `+1 202 555 01${index < demoUsers.length ? String(index).padStart(2, '0') : '99'}`,
      adult_confirmed: true,
      email: emailOf(user),
      email_verified: true,
      sub: userIdOf(user.username),
    },
  }))
  await tx`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
      raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change,
      email_change_token_new, email_change_token_current, reauthentication_token)
    select r.id, 'authenticated', 'authenticated', r.email,
      case when r.password is null then '' else extensions.crypt(r.password, extensions.gen_salt('bf', 10)) end,
      r.joined, '{"provider": "email", "providers": ["email"]}'::jsonb, r.meta, r.joined, r.joined,
      '', '', '', '', '', ''
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r (id uuid, email text, password text, joined timestamptz, meta jsonb)`
  await tx`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data, created_at, updated_at)
    select gen_random_uuid(), 'email', u.id::text, u.id,
      jsonb_build_object('sub', u.id, 'email', u.email, 'email_verified', true, 'phone_verified', false),
      u.created_at, u.created_at
    from auth.users u`
}

/** Updates the profiles and settings. Triggers are off, so no realtime events are sent. */
export async function updateProfiles(
  tx: TransactionSql,
  users: DemoUser[],
  images: ProfileImages,
  now: Date,
): Promise<void> {
  const rows = JSON.stringify(
    users.map((user) => ({
      id: userIdOf(user.username),
      avatar: images.get(user.username)?.avatar,
      cover: images.get(user.username)?.cover,
      creator: user.theme !== undefined,
      admin: user.admin ?? false,
      visibility: user.visibility ?? 'public',
      messages: user.directMessages ?? true,
      counts: user.showCounts ?? true,
      discoverable: user.discoverable ?? true,
      listed: user.inDirectory ?? true,
      joined: daysBefore(now, user.joined),
      profile: profileOf(user),
    })),
  )
  await tx`
    update public.profiles p set profile_image_url = r.avatar, is_creator = r.creator, is_admin = r.admin,
      visibility = r.visibility, allow_direct_messages = r.messages, show_follower_count = r.counts,
      content_discoverable = r.discoverable, show_in_directory = r.listed, created_at = r.joined
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, avatar text, creator boolean, admin boolean,
      visibility text, messages boolean, counts boolean, discoverable boolean, listed boolean, joined timestamptz)
    where p.id = r.id`
  await tx`
    update public.profile_details d set background_image_url = r.cover
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, cover text) where d.user_id = r.id`
  await tx`
    update public.accounts a set adult_confirmed_at = r.joined,
      email_confirmed_at = r.joined + interval '7 minutes', onboarded_at = r.joined + interval '5 minutes'
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, joined timestamptz) where a.user_id = r.id`
  await tx`
    select count(private.update_profile(r.id, r.profile))
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, profile jsonb)`
}

/** Returns the profile fields by column, as `private.update_profile` expects them. */
function profileOf(user: DemoUser): Record<string, unknown> {
  const [firstName, ...lastNames] = user.name.split(' ')
  const { hidden = [], ...about } = profileAbout[user.username] ?? {}
  return {
    first_name: firstName,
    last_name: lastNames.join(' ') || null,
    bio: user.bio || null,
    age: user.age ?? null,
    country: user.country ?? null,
    ...about,
    ...Object.fromEntries(hidden.map((field) => [`show_${field}`, false])),
  }
}

/** Approves all accounts except those of admins and the newest seven, during working hours after registration. */
export async function approveAccounts(tx: TransactionSql, now: Date): Promise<void> {
  await tx`
    update public.accounts a
    set approved_by = ${userIdOf(adminUsername)}::text::uuid,
        approved_at = least(${now}::timestamptz - interval '20 minutes', case
          when extract(hour from t.soon at time zone 'UTC') < 7 then t.morning
          when extract(hour from t.soon at time zone 'UTC') > 19 then t.morning + interval '1 day'
          else t.soon end)
    from public.profiles p
    cross join lateral (select private.seeded_random('approved ' || p.id) as chance) c
    cross join lateral (select p.created_at + interval '1 hour' * (0.5 + 19 * c.chance) as soon) s
    cross join lateral (
      select s.soon, date_trunc('day', s.soon, 'UTC') + interval '1 minute' * (430 + 110 * c.chance) as morning) t
    where p.id = a.user_id and not p.is_admin
      and p.id not in (select n.id from public.profiles n order by n.created_at desc limit 7)`
}

/** Rebuilds the table that the admin panel searches for accounts. Triggers usually maintain it. */
export async function rebuildAccountSearch(tx: TransactionSql): Promise<void> {
  await tx`delete from private.account_search`
  await tx`insert into private.account_search select * from private.account_search_source`
}

/**
 * Records that users were last online when they last did something, but at least ten minutes ago, so that nobody
 * appears to be online.
 */
export async function insertLastSeen(tx: TransactionSql, now: Date): Promise<void> {
  await tx`
    insert into private.last_seen (user_id, seen_at)
    select r.id, least(max(r.at), ${now}::timestamptz - interval '10 minutes')
    from (
      select author_id as id, created_at as at from public.posts
      union all select author_id, created_at from public.comments
      union all select user_id, created_at from public.likes
      union all select user_id, created_at from public.reposts
      union all select user_id, created_at from public.comment_likes
      union all select payer_id, created_at from public.payments
      union all select follower_id, created_at from public.follows
      union all select sender_id, created_at from public.messages
      union all select id, created_at from public.profiles) r
    where r.id in (select p.id from public.profiles p)
    group by r.id`
}
