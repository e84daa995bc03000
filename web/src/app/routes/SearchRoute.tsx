import SearchPage from '@/features/search/pages/SearchPage'
import FollowButton from '@/features/users/components/FollowButton'

/** The search, where people who were found can be followed. */
export default function SearchRoute() {
  return <SearchPage action={(person) => <FollowButton user={person} wording="list" size="sm" />} />
}
