import { z } from 'zod'

/**
 * Who sees a profile and its posts. The database enforces it: the view `private.viewable_profiles` in
 * supabase/schemas/10_profiles.sql.
 */
export const ProfileVisibility = z.enum(['public', 'followers', 'private'])
export type ProfileVisibility = z.infer<typeof ProfileVisibility>
