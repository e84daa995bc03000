import FeedPage from '@/features/posts/pages/FeedPage'
import { HomeRail } from './HomeRail'
import { QuickStrip } from './QuickActions'
import WithComments from './WithComments'

/** `/` for who is signed in. */
export default function HomeFeed() {
  return (
    <WithComments>
      <FeedPage rail={<HomeRail />} below={<QuickStrip />} />
    </WithComments>
  )
}
