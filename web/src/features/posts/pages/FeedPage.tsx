import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { VisuallyHidden } from '@/ui/layout'
import { RightSidebar } from '@/ui/RightSidebar'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { feedList } from '../api/posts'
import { Composer, homeComposerId } from '../components/composer/Composer'
import { NewPostsButton } from '../components/NewPostsButton'
import { PostList } from '../components/PostList'
import { FeedSkeleton } from '../components/PostSkeletons'

/** Shows the home feed with its composer. `sidebar` is shown beside it on wide screens. */
export default function FeedPage({
  sidebar,
  belowComposer,
}: {
  sidebar?: ReactNode
  belowComposer?: ReactNode
}) {
  useDocumentTitle()
  const { user } = useCurrentUser()
  if (!user) return <FeedSkeleton />
  return (
    <Box display="flex" flexDirection="column" gap={{ base: '2', md: '4' }}>
      <VisuallyHidden asChild>
        <h1>
          <Trans>Home Feed</Trans>
        </h1>
      </VisuallyHidden>
      <Composer key={user.id} user={user} />
      {belowComposer}
      <NewPostsButton list={feedList} />
      <PostList query={feedList.query} empty={<NoPosts />} />
      {sidebar && <RightSidebar>{sidebar}</RightSidebar>}
    </Box>
  )
}

function NoPosts() {
  const focusComposer = () => document.getElementById(homeComposerId)?.focus()
  return (
    <EmptyState
      illustration={<StageIllustration />}
      title={t`No posts yet`}
      text={t`Posts will appear here. Be the first to share one.`}
      action={
        <Button variant="ember" onClick={focusComposer}>
          <Trans>Create Your First Post</Trans>
        </Button>
      }
    />
  )
}
