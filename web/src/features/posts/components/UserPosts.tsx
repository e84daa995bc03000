import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Button } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { userPostsList } from '../api/posts'
import { NewPostsButton } from './NewPostsButton'
import { ShowsPinned } from './PostHeader'
import { PostList } from './PostList'

/**
 * Shows a user's posts on their profile. `onCompose` opens the composer from the empty state of the user's own profile.
 */
export default function UserPosts({
  userId,
  name,
  own,
  onCompose,
}: {
  userId: string
  name: string
  own: boolean
  onCompose: () => void
}) {
  const list = useMemo(() => userPostsList(userId, own), [userId, own])
  return (
    // The same gap as in the home feed. `NewPostsButton` overlaps it.
    <Box display="flex" flexDirection="column" gap={{ base: '2', md: '4' }}>
      {!own && <NewPostsButton list={list} />}
      <ShowsPinned value>
        <PostList
          query={list.query}
          empty={
            <EmptyState
              as="h2"
              illustration={<StageIllustration />}
              title={t`No posts yet`}
              text={own ? t`Your posts will appear here.` : t`${name} hasn't posted yet.`}
              action={
                own && (
                  <Button variant="ember" aria-haspopup="dialog" onClick={onCompose}>
                    {t`Create Your First Post`}
                  </Button>
                )
              }
            />
          }
        />
      </ShowsPinned>
    </Box>
  )
}
