import PostPage from '@/features/posts/pages/PostPage'
import { AuthorCard } from '@/features/users/components/AuthorCard'
import { MoreCreators } from '@/features/users/components/TrendingCreators'

/** Shows a post with its comments and, for signed-in users, its author and other creators beside it. */
export default function PostRoute() {
  return (
    <PostPage
      sidebar={(author) => (
        <>
          <AuthorCard key={author.id} author={author} />
          <MoreCreators except={author.id} />
        </>
      )}
    />
  )
}
