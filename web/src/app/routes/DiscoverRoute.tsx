import DiscoverPage from '@/features/posts/pages/DiscoverPage'
import FeaturedCreators from '@/features/users/components/FeaturedCreators'

/** Shows the Discover page with the featured creators from the users feature. */
export default function DiscoverRoute() {
  return <DiscoverPage creators={<FeaturedCreators />} />
}
