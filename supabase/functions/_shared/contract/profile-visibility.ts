import { z } from 'zod'

/**
 * Who can view the posts and details of a profile. The database enforces this with the view `private.viewable_profiles`
 * in supabase/schemas/10_profiles.sql.
 */
export const ProfileVisibility = z.enum(['public', 'followers', 'private'])
export type ProfileVisibility = z.infer<typeof ProfileVisibility>
