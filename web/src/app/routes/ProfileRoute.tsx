import { Gallery } from '@/features/gallery/components/Gallery'
import UserPosts from '@/features/posts/components/UserPosts'
import ProfilePage from '@/features/users/pages/ProfilePage'

/** Shows a profile with the user's posts and gallery. The keys reset their state for another user. */
export default function ProfileRoute() {
  return (
    <ProfilePage
      posts={(profile) => <UserPosts key={profile.userId} {...profile} />}
      media={(profile) => <Gallery key={profile.userId} {...profile} />}
    />
  )
}
