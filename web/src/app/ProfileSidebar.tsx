import { AutoPostsLink } from '@/features/auto-posting/components/AutoPostsLink'
import { LatestFollowers } from '@/features/users/components/LatestFollowers'
import { ProfileSteps } from '@/features/users/components/ProfileSteps'
import { useCurrentUser } from '@/session/session'
import { Card } from '@/ui/layout'
import { OwnAnalytics, SidebarFooter } from './HomeSidebar'

/** The content of the right sidebar beside the viewer's own profile. */
export function ProfileSidebar() {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <>
      <ProfileSteps user={user} />
      {user.isCreator && <OwnAnalytics />}
      {user.allowAutoPosting && (
        <Card padding="4" css={{ '&:empty': { display: 'none' } }}>
          <AutoPostsLink />
        </Card>
      )}
      <LatestFollowers user={user} />
      <SidebarFooter />
    </>
  )
}
