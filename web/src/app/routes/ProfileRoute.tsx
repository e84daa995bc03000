import { Gallery } from '@/features/gallery/components/Gallery'
import { LockedThumbnails } from '@/features/posts/components/LockedThumbnails'
import UserPosts from '@/features/posts/components/UserPosts'
import ProfilePage from '@/features/users/pages/ProfilePage'
import { HomeSidebar } from '../HomeSidebar'
import { openComposer } from '../shell/quick-dialogs'

/**
 * Shows a profile with the user's posts and gallery. The keys reset the state of both when another user's profile is
 * opened.
 */
export default function ProfileRoute() {
  return (
    <ProfilePage
      posts={(profile) => <UserPosts key={profile.userId} {...profile} onCompose={openComposer} />}
      locked={(userId) => <LockedThumbnails userId={userId} />}
      ownSidebar={<HomeSidebar />}
      media={(profile) => <Gallery key={profile.userId} {...profile} />}
    />
  )
}
