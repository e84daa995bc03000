import { Box } from '@chakra-ui/react'
import { excerpt } from '@contract/excerpt.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { isMissing, isNotFound } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useContentPollInterval } from '@/realtime/connection'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { ArrowLeftIcon } from '@/ui/icons'
import { CurtainIllustration } from '@/ui/illustrations'
import { Card, PageHeader } from '@/ui/layout'
import { RightSidebar } from '@/ui/RightSidebar'
import { EmptyState, ErrorState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useMinWidth } from '@/ui/useMinWidth'
import { findPost, postQuery, removePost, updateListedPost } from '../api/posts'
import { PostCard } from '../components/PostCard'
import { PostSkeletons } from '../components/PostSkeletons'
import { hasMedia } from '../model'

const maxTitleLength = 60

/**
 * Shows `/post/:id`, a post with its comments. Visitors can open it too. For signed-in users on wide screens, the
 * comments on a photo or video are in the right sidebar, so that they can be read beside it.
 *
 * @param renderAuthor renders the author at the top of the sidebar
 * @param renderMore renders the rest of the sidebar, unless comments fill it
 */
export default function PostPage({
  renderAuthor,
  renderMore,
}: {
  renderAuthor: (author: UserCard) => ReactNode
  renderMore: (author: UserCard) => ReactNode
}) {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { isAuthenticated } = useCurrentUser()
  const isWide = useMinWidth('xl')
  const [commentsPane, setCommentsPane] = useState<HTMLElement | null>(null)
  const isLinkedToComment = useLocation().hash !== ''
  const pollInterval = useContentPollInterval()
  const query = useQuery({
    ...postQuery(id),
    placeholderData: () => findPost(client, id),
    // A link to a comment usually means that something has changed since the post was cached.
    refetchOnMount: isLinkedToComment ? 'always' : true,
    refetchInterval: ({ state }) => (isNotFound(state.error) ? false : pollInterval),
  })
  // If a refetch shows that the post is gone, the cached post is no longer shown.
  const isGone = isNotFound(query.error)
  const post = isGone ? undefined : query.data
  // Decided once per post: the form for a comment must not move while the user types, for example if an edit adds a
  // video.
  const [layout, setLayout] = useState<{ postId: string; hasMedia: boolean }>()
  if (post && layout?.postId !== id) setLayout({ postId: id, hasMedia: hasMedia(post) })
  const hasCommentsPane = isWide && isAuthenticated && layout?.postId === id && layout.hasMedia
  useEffect(() => {
    if (isGone) removePost(client, id)
  }, [isGone, client, id])
  const { data: fetched, isPlaceholderData } = query
  useEffect(() => {
    if (fetched && !isPlaceholderData) updateListedPost(client, id, () => fetched)
  }, [fetched, isPlaceholderData, client, id])
  const authorName = displayName(post?.user)
  const heading = post && excerpt(post.teaser ?? post.content, maxTitleLength)
  useDocumentTitle(heading ? `${authorName}: ${heading}` : post ? t`Post by ${authorName}` : t`Post`)
  // If the user opened the page from another site, the app's history has no previous page.
  const goBack = () => (window.history.state?.idx > 0 ? navigate(-1) : navigate(paths.home.getHref()))
  return (
    <>
      {/* On phones, the card extends down to the bottom bar. */}
      <Card
        minHeight={{ base: 'calc(100dvh - {spacing.2} - {sizes.bottomBar})', md: '0' }}
        borderTopWidth={{ base: '0', md: '1px' }}
      >
        {/* On phones, this element has no box, so that the header sticks to the top while the card scrolls. */}
        <Box display={{ base: 'contents', md: 'block' }} paddingInline="2" borderBottomWidth="1px">
          <PageHeader
            title={t`Post`}
            back={
              <IconButton label={t`Back`} tooltip={false} onClick={goBack}>
                <ArrowLeftIcon />
              </IconButton>
            }
          />
        </Box>
        {post && (
          <PostCard
            key={post.id}
            post={post}
            large
            onDeleted={goBack}
            {...(hasCommentsPane && { commentsPane })}
          />
        )}
        {!post && query.isPending && <PostSkeletons count={1} large />}
        {!post && query.isError && <PostError error={query.error} onRetry={() => void query.refetch()} />}
      </Card>
      {post?.user && isAuthenticated && (
        <RightSidebar>
          <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
            <Card
              display="flex"
              flexDirection="column"
              overflow="hidden"
              // Fills the sidebar, so that only the comments scroll and new ones do not move the form below them.
              {...(hasCommentsPane && {
                [post.locked ? 'maxHeight' : 'height']: 'calc(100dvh - {sizes.header} - {spacing.10})',
              })}
            >
              <Box flexShrink="0" padding="4">
                {renderAuthor(post.user)}
              </Box>
              {hasCommentsPane && (
                <Box
                  ref={setCommentsPane}
                  flex="1"
                  display="flex"
                  flexDirection="column"
                  minHeight="0"
                  borderTopWidth="1px"
                />
              )}
            </Card>
            {(post.locked || !hasCommentsPane) && renderMore(post.user)}
          </Box>
        </RightSidebar>
      )}
    </>
  )
}

function PostError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isMissing(error))
    return (
      <ErrorState
        title={t`Failed to fetch posts`}
        message={t`Check your connection and try again.`}
        onRetry={onRetry}
      />
    )
  return (
    <EmptyState
      illustration={<CurtainIllustration />}
      title={t`Post not found`}
      text={t`It may have been deleted, or you don't have access.`}
      action={
        <ButtonLink to={paths.home.getHref()} variant="ember">
          <Trans>Back to home</Trans>
        </ButtonLink>
      }
    />
  )
}
