import PostSearchResults from '@/features/posts/components/PostSearchResults'
import SearchPage from '@/features/search/pages/SearchPage'
import FollowButton from '@/features/users/components/FollowButton'

/** Shows the search, with a follow button for each user, and with the posts, which belong to another feature. */
export default function SearchRoute() {
  return (
    <SearchPage
      action={(user) => <FollowButton user={user} wording="list" size="sm" />}
      posts={(term) => <PostSearchResults key={term} term={term} />}
    />
  )
}
