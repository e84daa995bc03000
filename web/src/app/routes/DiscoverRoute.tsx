import DiscoverPage from '@/features/posts/pages/DiscoverPage'
import { FeaturedCreators } from '@/features/users/components/FeaturedCreators'

/** What there is to discover, people among it. */
export default function DiscoverRoute() {
  return <DiscoverPage creators={<FeaturedCreators />} />
}
