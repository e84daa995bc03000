import PostPage from '@/features/posts/pages/PostPage'
import { AuthorCard } from '@/features/users/components/AuthorCard'
import { MoreCreators } from '@/features/users/components/TrendingCreators'

/** Shows a post with its comments and, for signed-in users, its author beside it. */
export default function PostRoute() {
  return (
    <PostPage
      renderAuthor={(author) => <AuthorCard key={author.id} author={author} />}
      renderMore={(author) => <MoreCreators except={author.id} />}
    />
  )
}
