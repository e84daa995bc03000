import { StageDrawing } from '@/ui/drawings'
import { EmptyState } from '@/ui/states'
import { userPostsQuery } from '../api/lists'
import { PostList } from '../components/PostList'

/** One person's posts, for the profile page to hold. */
export default function UserPosts({ userId, name, own }: { userId: string; name: string; own: boolean }) {
  return (
    <PostList
      query={userPostsQuery(userId)}
      empty={
        <EmptyState
          as="h2"
          drawing={<StageDrawing />}
          title="No posts yet"
          text={own ? 'What you post shows here.' : `${name} has not posted anything yet.`}
        />
      }
    />
  )
}
