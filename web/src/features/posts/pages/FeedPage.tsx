import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useCurrentUser } from '@/lib/session'
import { Button } from '@/ui/Button'
import { composerId } from '@/ui/composer'
import { StageDrawing } from '@/ui/drawings'
import { VisuallyHidden } from '@/ui/layout'
import { Rail } from '@/ui/Rail'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { feedQuery } from '../api/lists'
import { FeedSkeleton } from '../components/FeedSkeleton'
import { NewPosts } from '../components/NewPosts'
import { PostList } from '../components/PostList'
import { Composer } from '../compose/Composer'

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
      <NewPosts />
      <PostList query={feedQuery} empty={<NoPosts />} />
      {rail && <Rail>{rail}</Rail>}
    </Box>
  )
}

function NoPosts() {
  const write = () => document.getElementById(composerId)?.focus()
  return (
    <EmptyState
      drawing={<StageDrawing />}
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
