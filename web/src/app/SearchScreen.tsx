import FollowButton from '@/features/profiles/components/FollowButton'
import SearchPage from '@/features/search/SearchPage'

/** The search, where people who were found can be followed. */
export default function SearchScreen() {
  return <SearchPage action={(person) => <FollowButton user={person} wording="list" size="sm" />} />
}
