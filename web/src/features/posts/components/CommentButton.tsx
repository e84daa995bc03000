import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { compactNumber } from '@/lib/format'
import { CommentIcon } from '@/ui/icons'
import { Tooltip } from '@/ui/Tooltip'
import { PostAction } from './PostActions'

const locked = 'Unlock the post to read its comments'

/** How many comments a post has; opens and closes them. Those of a locked post stay shut. */
export function CommentButton({
  post,
  open,
  controls,
  onPress,
}: {
  post: Post
  /** Left out where they are always open. */
  open?: boolean
  /** The id of what it opens. */
  controls?: string
  onPress: () => void
}) {
  const count = post.commentsCount
  const label = `Comment, ${count} ${count === 1 ? 'comment' : 'comments'}`
  const inside = (
    <>
      <Box as="span" fontSize="lg">
        <CommentIcon filled={open} />
      </Box>
      <span aria-hidden>{count > 0 ? compactNumber(count) : 'Comment'}</span>
    </>
  )
  if (post.locked) {
    return (
      <Tooltip label={locked}>
        {/* Not `disabled`: that would hide the reason from pointer and keyboard. */}
        <PostAction type="button" aria-disabled aria-label={label} aria-description={locked}>
          {inside}
        </PostAction>
      </Tooltip>
    )
  }
  return (
    <PostAction
      type="button"
      aria-label={label}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onPress}
    >
      {inside}
    </PostAction>
  )
}
