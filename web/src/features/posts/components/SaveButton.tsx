import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { BookmarkIcon } from '@/ui/icons'
import { useToggleSave } from '../api/save-post'
import { PostAction } from './PostActions'

/** Saves a post for later, or takes that back; a visitor is sent to sign in. */
export function SaveButton({ post }: { post: Post }) {
  const { isAuthenticated } = useCurrentUser()
  const save = useToggleSave(post.id)
  const press = () => {
    if (isAuthenticated) save.mutate()
    else openLoginPage()
  }
  return (
    <PostAction type="button" aria-pressed={post.saved} onClick={press}>
      <Box as="span" fontSize="lg">
        <BookmarkIcon filled={post.saved} />
      </Box>
      {post.saved ? 'Saved' : 'Save'}
    </PostAction>
  )
}
