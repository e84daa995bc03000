import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { postSearchQuery } from '@/features/posts/api/posts'
import PostSearchResults from '@/features/posts/components/PostSearchResults'
import { searchTerm } from '@/features/search/api'
import SearchPage from '@/features/search/pages/SearchPage'
import { countPages } from '@/features/search/tabs'
import FollowButton from '@/features/users/components/FollowButton'

/** Shows the search page, with follow buttons from the users feature and results from the posts feature. */
export default function SearchRoute() {
  const [params] = useSearchParams()
  const term = searchTerm(params.get('q') ?? '')
  const posts = useInfiniteQuery({ ...postSearchQuery(term), enabled: term !== '' })
  return (
    <SearchPage
      action={(user) => <FollowButton user={user} wording="list" size="sm" />}
      posts={(term, emptyAction) => <PostSearchResults key={term} term={term} emptyAction={emptyAction} />}
      postCount={countPages(posts)}
    />
  )
}
