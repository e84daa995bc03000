import { z } from 'zod'

/**
 * Who can view the posts and details of a profile. In supabase/schemas/10_profiles.sql, the check constraint on
 * `profiles.visibility` lists the levels, and `private.viewable_profiles` and `private.can_user_view_profile` enforce
 * them. In 12_relations.sql, only a public profile can be followed without a request. In 38_discovery.sql, only a
 * public profile counts for trending topics, and a private one cannot be a featured creator.
 */
export const ProfileVisibility = z.enum(['public', 'followers', 'private'])
export type ProfileVisibility = z.infer<typeof ProfileVisibility>
