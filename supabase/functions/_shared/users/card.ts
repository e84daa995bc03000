import { sql } from '../db/page.ts'

/** The pairs of a `UserCard`, of the profile `u`. */
export const card = sql`
  'id', u.id, 'username', u.username, 'handle', u.username,
  'displayName', coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.full_name),
  'fullName', u.full_name, 'firstName', u.first_name, 'lastName', u.last_name,
  'profileImageUrl', u.profile_image_url, 'isCreator', u.is_creator, 'isAdmin', u.is_admin`
