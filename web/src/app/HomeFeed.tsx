import FeedPage from '@/features/posts/pages/FeedPage'
import { HomeRail } from './HomeRail'

/** `/` for who is signed in. */
export default function HomeFeed() {
  return <FeedPage rail={<HomeRail />} />
}
