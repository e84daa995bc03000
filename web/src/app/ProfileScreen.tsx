import UserPosts from '@/features/posts/pages/UserPosts'
import ProfilePage from '@/features/profiles/pages/ProfilePage'

/** A profile with its person's posts; a new person is a new screen, with nothing left of the one before. */
export default function ProfileScreen() {
  return <ProfilePage posts={(of) => <UserPosts key={of.userId} {...of} />} />
}
