import SearchPage from '@/features/search/pages/SearchPage'
import FollowButton from '@/features/users/components/FollowButton'

/** Shows the search with a follow button for each user. */
export default function SearchRoute() {
  return <SearchPage action={(user) => <FollowButton user={user} wording="list" size="sm" />} />
}
