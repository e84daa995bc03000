import { t } from '@lingui/core/macro'
import { StageIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { userPostsQuery } from '../api/posts'
import { PostList } from './PostList'

/** Shows a user's posts on their profile. */
export default function UserPosts({ userId, name, own }: { userId: string; name: string; own: boolean }) {
  return (
    <PostList
      query={userPostsQuery(userId)}
      empty={
        <EmptyState
          as="h2"
          illustration={<StageIllustration />}
          title={t`No posts yet`}
          text={own ? t`Your posts will appear here.` : t`${name} hasn't posted yet.`}
        />
      }
    />
  )
}
