import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { ApiError } from '@/lib/api'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { ButtonLink } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { ArrowLeftIcon } from '@/ui/icons'
import { CurtainIllustration } from '@/ui/illustrations'
import { Card, PageHeader } from '@/ui/layout'
import { EmptyState, ErrorState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { isPostGone } from '../api/gone-posts'
import { findPost, removePost } from '../api/post-cache'
import { postQuery } from '../api/posts'
import { PostCard } from '../components/PostCard'
import { PostSkeletons } from '../components/PostSkeletons'

/** `/post/:id`: one post, for everybody who may see it. */
export default function PostPage() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const query = useQuery({ ...postQuery(id), placeholderData: () => findPost(client, id) })
  // Read again, it may be gone: what was read before is then no longer to be seen.
  const gone = isPostGone(query.error)
  const post = gone ? undefined : query.data
  useEffect(() => {
    if (gone) removePost(client, id)
  }, [gone, client, id])
  useDocumentTitle(post ? `Post by ${displayName(post.user)}` : 'Post')
  // Opened from elsewhere, there is nothing to go back to.
  const back = () => (window.history.state?.idx > 0 ? navigate(-1) : navigate(paths.home.getHref()))
  return (
    <>
      <PageHeader
        title="Post"
        back={
          <IconButton label="Back" tooltip={false} onClick={back}>
            <ArrowLeftIcon />
          </IconButton>
        }
      />
      <Card>
        {post && <PostCard key={post.id} post={post} large onDeleted={back} />}
        {!post && query.isPending && <PostSkeletons count={1} />}
        {!post && query.isError && <Missing error={query.error} onRetry={() => void query.refetch()} />}
      </Card>
    </>
  )
}

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const gone = error instanceof ApiError && (error.status === 404 || error.status === 400)
  if (!gone)
    return <ErrorState title="Failed to fetch posts" message="The post did not load." onRetry={onRetry} />
  return (
    <EmptyState
      drawing={<CurtainIllustration />}
      title="Post not found"
      text="It was deleted, or it is not open to you."
      action={
        <ButtonLink to={paths.home.getHref()} variant="ember">
          Back to home
        </ButtonLink>
      }
    />
  )
}
