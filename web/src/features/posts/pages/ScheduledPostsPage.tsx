import { Box } from '@chakra-ui/react'
import type { ScheduledPost } from '@contract/scheduled-post.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { paths } from '@/lib/paths'
import { useContentPollInterval } from '@/realtime/connection'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { Card, PageHeader, VisuallyHidden } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { scheduledPostsQuery } from '../api/scheduled-posts'
import { EditScheduledPostDialog } from '../components/schedule/EditScheduledPostDialog'
import { ScheduledPostCard } from '../components/schedule/ScheduledPostCard'
import { useScheduledPostsRealtime } from '../realtime'

/** Shows `/scheduled`: the viewer's scheduled posts, the earliest first. */
export default function ScheduledPostsPage() {
  const { user } = useCurrentUser()
  useDocumentTitle(t`Scheduled posts`)
  return (
    <>
      <PageHeader title={t`Scheduled posts`} />
      {user && <ScheduledPostList userId={user.id} />}
    </>
  )
}

function ScheduledPostList({ userId }: { userId: string }) {
  const list = useQuery({ ...scheduledPostsQuery, refetchInterval: useContentPollInterval() })
  const { data: posts, isError, refetch } = list
  useScheduledPostsRealtime(userId)
  const heading = useRef<HTMLHeadingElement>(null)
  // The dialog is not in the row, because the row disappears when the post is published.
  const [edited, setEdited] = useState<{ post: ScheduledPost; button: HTMLElement }>()
  const [isEditing, setEditing] = useState(false)
  const latest = edited && posts?.find(({ id }) => id === edited.post.id)
  return (
    <Card as="section" overflow="hidden">
      <VisuallyHidden asChild>
        <h2 ref={heading} tabIndex={-1}>{t`Scheduled posts`}</h2>
      </VisuallyHidden>
      <RefreshError query={list} />
      {posts && posts.length > 0 && (
        <Box as="ul" listStyleType="none">
          {posts.map((post) => (
            <ScheduledPostCard
              key={post.id}
              post={post}
              onEdit={(button) => {
                setEdited({ post, button })
                setEditing(true)
              }}
            />
          ))}
        </Box>
      )}
      {edited && (
        <EditScheduledPostDialog
          key={edited.post.id}
          post={latest ?? edited.post}
          isGone={posts !== undefined && !latest}
          open={isEditing}
          onClose={() => setEditing(false)}
          finalFocus={() => (edited.button.isConnected ? edited.button : heading.current)}
        />
      )}
      {posts?.length === 0 && (
        <EmptyState
          illustration={<StageIllustration />}
          title={t`No scheduled posts`}
          text={t`To schedule a post, use the clock icon below it while you write.`}
          action={
            <ButtonLink to={paths.home.getHref()} variant="ember">
              {t`Write a post`}
            </ButtonLink>
          }
        />
      )}
      {!posts && isError && (
        <ErrorState
          message={t`Couldn't load your scheduled posts. Try again.`}
          onRetry={() => void refetch()}
        />
      )}
      {!posts && !isError && (
        <Loading label={t`Loading scheduled posts`}>
          {[0, 1].map((row) => (
            <Box key={row} padding={{ base: '4', md: '5' }} _notLast={{ borderBottomWidth: '1px' }}>
              <Skeleton height="5" width="12rem" />
              <SkeletonText lines={2} marginTop="4" />
              <Skeleton height="9" width="14rem" marginTop="5" borderRadius="full" />
            </Box>
          ))}
        </Loading>
      )}
    </Card>
  )
}
