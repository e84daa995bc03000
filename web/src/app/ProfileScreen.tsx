import MediaGallery from '@/features/media/pages/MediaGallery'
import UserPosts from '@/features/posts/pages/UserPosts'
import ProfilePage from '@/features/profiles/pages/ProfilePage'

/** A profile with its person's posts and gallery; a new person is a new screen, with nothing left of the one before. */
export default function ProfileScreen() {
  return (
    <ProfilePage
      posts={(of) => <UserPosts key={of.userId} {...of} />}
      media={(of) => <MediaGallery {...of} />}
    />
  )
}
