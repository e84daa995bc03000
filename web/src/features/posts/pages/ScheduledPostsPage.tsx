import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { Card, PageHeader, VisuallyHidden } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { scheduledPostsQuery, useScheduledPostsRealtime } from '../api/scheduled-posts'
import { ScheduledPostCard } from '../components/schedule/ScheduledPostCard'

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
  const { data: posts, isError, refetch } = useQuery(scheduledPostsQuery)
  useScheduledPostsRealtime(userId)
  return (
    <Card as="section" overflow="hidden">
      <VisuallyHidden asChild>
        <h2>{t`Scheduled posts`}</h2>
      </VisuallyHidden>
      {posts && isError && (
        <InlineError text={t`Couldn't refresh. Showing the last results.`} onRetry={() => void refetch()} />
      )}
      {posts && posts.length > 0 && (
        <Box as="ul" listStyleType="none">
          {posts.map((post) => (
            <ScheduledPostCard key={post.id} post={post} />
          ))}
        </Box>
      )}
      {posts?.length === 0 && (
        <EmptyState
          illustration={<StageIllustration />}
          title={t`No scheduled posts`}
          text={t`Choose the clock below a new post, and it is published at the time you set.`}
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
