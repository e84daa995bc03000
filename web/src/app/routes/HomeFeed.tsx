import FeedPage from '@/features/posts/pages/FeedPage'
import CommentsLayout from '../CommentsLayout'
import { HomeSidebar } from '../HomeSidebar'
import { QuickActionsBar } from '../QuickActions'

/** `/` for who is signed in. */
export default function HomeFeed() {
  return (
    <CommentsLayout>
      <FeedPage rail={<HomeSidebar />} below={<QuickActionsBar />} />
    </CommentsLayout>
  )
}
