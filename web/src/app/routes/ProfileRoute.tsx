import MediaGallery from '@/features/gallery/components/MediaGallery'
import UserPosts from '@/features/posts/components/UserPosts'
import ProfilePage from '@/features/users/pages/ProfilePage'

/** A profile with its person's posts and gallery; a new person is a new screen, with nothing left of the one before. */
export default function ProfileRoute() {
  return (
    <ProfilePage
      posts={(of) => <UserPosts key={of.userId} {...of} />}
      media={(of) => <MediaGallery {...of} />}
    />
  )
}
