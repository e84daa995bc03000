import { sql } from '../db/page.ts'

/** How the profile `u` is called: first and last name, else full name; null without a profile. */
export const displayName = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.full_name)`

/** The pairs of a `UserCard`, of the profile `u`. */
export const card = sql`
  'id', u.id, 'username', u.username, 'handle', u.username, 'displayName', ${displayName},
  'fullName', u.full_name, 'firstName', u.first_name, 'lastName', u.last_name,
  'profileImageUrl', u.profile_image_url, 'isCreator', u.is_creator, 'isAdmin', u.is_admin`

/** The pairs of a `UserCard` of an account that is gone, of which only the id is left. */
export const goneCard = (id: ReturnType<typeof sql>) => sql`
  'id', ${id}, 'username', 'deleted', 'handle', 'deleted', 'displayName', 'Deleted user',
  'fullName', 'Deleted user', 'firstName', null, 'lastName', null,
  'profileImageUrl', null, 'isCreator', false, 'isAdmin', false`
