import type { TransactionSql } from 'postgres'
import { idOf } from './numbers.ts'
import { type Person, password } from './people.ts'

/** Where a person's pictures lie, as paths of the site; without an entry they have none. */
export type PicturePaths = Map<string, { avatar?: string; cover?: string }>

export const uidOf = (username: string): string => idOf('person', username)

const emailOf = (person: Person): string => person.email ?? `${person.username}@demo.test`

/** Rows as one parameter, which `jsonb_to_recordset` reads. */
export const rowsOf = (rows: unknown[]): string => JSON.stringify(rows)

/**
 * The accounts. A trigger makes their profile rows, as for everybody who signs up; then come what the registration
 * does not ask for. Only the three with an address of their own get a password: an empty hash matches none.
 */
export async function insertAccounts(tx: TransactionSql, people: Person[], now: Date): Promise<void> {
  const rows = people.map((person, index) => ({
    id: uidOf(person.username),
    email: emailOf(person),
    secret: person.email ? password : null,
    joined: joinedAt(person, now),
    meta: {
      username: person.username,
      full_name: person.name,
      // 555-01xx is nobody's number.
      phone_number: `+1 202 555 01${String(index).padStart(2, '0')}`,
      adult_confirmed: true,
      email: emailOf(person),
      email_verified: true,
      sub: uidOf(person.username),
    },
  }))
  await tx`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
      raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change,
      email_change_token_new, email_change_token_current, reauthentication_token)
    select r.id, 'authenticated', 'authenticated', r.email,
      case when r.secret is null then '' else extensions.crypt(r.secret, extensions.gen_salt('bf', 10)) end,
      r.joined, '{"provider": "email", "providers": ["email"]}'::jsonb, r.meta, r.joined, r.joined,
      '', '', '', '', '', ''
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb)
      as r (id uuid, email text, secret text, joined timestamptz, meta jsonb)`
  await tx`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data, created_at, updated_at)
    select gen_random_uuid(), 'email', r.id::text, r.id,
      jsonb_build_object('sub', r.id, 'email', r.email, 'email_verified', true, 'phone_verified', false),
      r.joined, r.joined
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, email text, joined timestamptz)`
}

/** What people say and chose after signing up. Runs while triggers rest, so that nobody is told of it. */
export async function updateProfiles(
  tx: TransactionSql,
  people: Person[],
  pictures: PicturePaths,
  now: Date,
): Promise<void> {
  const rows = people.map((person) => {
    const words = person.name.split(' ')
    return {
      id: uidOf(person.username),
      first_name: words[0],
      last_name: words.slice(1).join(' ') || null,
      bio: person.bio,
      avatar: pictures.get(person.username)?.avatar ?? null,
      cover: pictures.get(person.username)?.cover ?? null,
      creator: person.theme !== undefined,
      admin: person.admin ?? false,
      visibility: person.visibility ?? 'public',
      messages: person.directMessages ?? true,
      counts: person.showCounts ?? true,
      discoverable: person.discoverable ?? true,
      listed: person.inDirectory ?? true,
      joined: joinedAt(person, now),
    }
  })
  await tx`
    update public.profiles p set first_name = r.first_name, last_name = r.last_name, profile_image_url = r.avatar,
      is_creator = r.creator, is_admin = r.admin, visibility = r.visibility, allow_direct_messages = r.messages,
      show_follower_count = r.counts, content_discoverable = r.discoverable, show_in_directory = r.listed,
      created_at = r.joined
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, first_name text, last_name text,
      avatar text, creator boolean, admin boolean, visibility text, messages boolean, counts boolean,
      discoverable boolean, listed boolean, joined timestamptz)
    where p.id = r.id`
  await tx`
    update public.profile_details d set bio = r.bio, background_image_url = r.cover
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, bio text, cover text)
    where d.user_id = r.id`
  await tx`
    update public.accounts a set adult_confirmed_at = r.joined
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, joined timestamptz)
    where a.user_id = r.id`
}

const joinedAt = (person: Person, now: Date): Date => new Date(now.getTime() - person.joined * 86_400_000)
