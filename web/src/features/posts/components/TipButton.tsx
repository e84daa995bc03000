import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useRef } from 'react'
import { displayName } from '@/lib/person'
import { useTip } from '@/lib/tipping'
import { CoinIcon } from '@/ui/icons'
import { CardAction } from './CardAction'

/** Tips a creator for a post of theirs. */
export function TipButton({ post }: { post: Post }) {
  const tip = useTip()
  const button = useRef<HTMLButtonElement>(null)
  if (post.mine || !post.user.isCreator) return null
  return (
    <CardAction
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
    </CardAction>
  )
}
