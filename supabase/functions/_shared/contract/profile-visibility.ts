import { z } from 'zod'

/**
 * Who can view the posts and details of a profile. In supabase/schemas/10_profiles.sql, the check constraint on
 * `profiles.visibility` lists the levels, and `private.viewable_profiles` and `private.can_user_view_profile` enforce
 * them. Other schema files also check the level. For example, 12_relations.sql allows following only a public profile
 * without a request; 38_discovery.sql counts only authors with a public profile for trending topics and excludes
 * private profiles from the featured creators.
 */
export const ProfileVisibility = z.enum(['public', 'followers', 'private'])
export type ProfileVisibility = z.infer<typeof ProfileVisibility>
