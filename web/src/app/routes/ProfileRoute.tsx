import { Gallery } from '@/features/gallery/components/Gallery'
import { LockedStrip, LockedThumbnails } from '@/features/posts/components/LockedThumbnails'
import { LikedPosts, SavedPosts } from '@/features/posts/components/OwnPostLists'
import UserPosts from '@/features/posts/components/UserPosts'
import ProfilePage from '@/features/users/pages/ProfilePage'
import { ProfileSidebar } from '../ProfileSidebar'
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
      lockedStrip={(userId) => <LockedStrip userId={userId} />}
      liked={<LikedPosts />}
      saved={<SavedPosts />}
      ownSidebar={<ProfileSidebar />}
      media={(profile) => <Gallery key={profile.userId} {...profile} />}
    />
  )
}
