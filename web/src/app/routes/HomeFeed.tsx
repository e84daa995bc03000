import FeedPage from '@/features/posts/pages/FeedPage'
import { PeopleToFollow } from '@/features/users/components/PeopleToFollow'
import CommentsLayout from '../CommentsLayout'
import { HomeSidebar, QuickActionsBar } from '../HomeSidebar'

/** Shows the home feed at `/` to signed-in users. */
export default function HomeFeed() {
  return (
    <CommentsLayout>
      <FeedPage
        sidebar={<HomeSidebar />}
        belowComposer={<QuickActionsBar />}
        suggestions={<PeopleToFollow />}
      />
    </CommentsLayout>
  )
}
