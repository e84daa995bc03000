import DiscoverPage from '@/features/posts/pages/DiscoverPage'
import { FeaturedCreators } from '@/features/profiles/components/FeaturedCreators'

/** What there is to discover, people among it. */
export default function DiscoverScreen() {
  return <DiscoverPage creators={<FeaturedCreators />} />
}
