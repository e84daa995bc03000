import PostSearchResults from '@/features/posts/components/PostSearchResults'
import SearchPage from '@/features/search/pages/SearchPage'
import FollowButton from '@/features/users/components/FollowButton'

/** Shows the search page, with follow buttons from the users feature and results from the posts feature. */
export default function SearchRoute() {
  return (
    <SearchPage
      action={(user) => <FollowButton user={user} wording="list" size="sm" />}
      posts={(term) => <PostSearchResults key={term} term={term} />}
    />
  )
}
