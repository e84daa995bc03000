import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useRef } from 'react'
import { useOpenTipDialog } from '@/billing/tips'
import { displayName } from '@/lib/text'
import { CoinIcon } from '@/ui/icons'
import { PostAction } from './PostActions'

/** Tips a creator for a post of theirs. */
export function TipPostButton({ post }: { post: Post }) {
  const tip = useOpenTipDialog()
  const button = useRef<HTMLButtonElement>(null)
  if (post.mine || !post.user.isCreator) return null
  return (
    <PostAction
      ref={button}
      type="button"
      aria-label={`Tip ${displayName(post.user)}`}
      aria-haspopup="dialog"
      onClick={() => tip({ creator: post.user, postId: post.id, finalFocus: () => button.current })}
    >
      <Box as="span" fontSize="lg">
        <CoinIcon />
      </Box>
      <span aria-hidden>Tip</span>
    </PostAction>
  )
}
