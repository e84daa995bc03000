import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { VisuallyHidden } from '@/ui/layout'
import { RightSidebar } from '@/ui/RightSidebar'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { feedQuery } from '../api/posts'
import { Composer } from '../components/composer/Composer'
import { homeComposerId } from '../components/composer/composer-id'
import { FeedSkeleton } from '../components/FeedSkeleton'
import { NewPostsButton } from '../components/NewPostsButton'
import { PostList } from '../components/PostList'

/** The home feed. `rail` stands beside it where there is room, `below` under the composer. */
export default function FeedPage({ rail, below }: { rail?: ReactNode; below?: ReactNode }) {
  useDocumentTitle()
  const { user } = useCurrentUser()
  if (!user) return <FeedSkeleton />
  return (
    <Box display="flex" flexDirection="column" gap={{ base: '2', md: '4' }}>
      <VisuallyHidden asChild>
        <h1>Home Feed</h1>
      </VisuallyHidden>
      <Composer key={user.id} user={user} />
      {below}
      <NewPostsButton />
      <PostList query={feedQuery} empty={<NoPosts />} />
      {rail && <RightSidebar>{rail}</RightSidebar>}
    </Box>
  )
}

function NoPosts() {
  const write = () => document.getElementById(homeComposerId)?.focus()
  return (
    <EmptyState
      drawing={<StageIllustration />}
      title="No posts yet"
      text="The stage is yours."
      action={
        <Button variant="ember" onClick={write}>
          Create Your First Post
        </Button>
      }
    />
  )
}
