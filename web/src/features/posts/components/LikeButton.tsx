import { Box } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useRef } from 'react'
import { compactNumber } from '@/lib/format'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { HeartIcon } from '@/ui/icons'
import { useToggleLike } from '../api/like-post'
import { PostAction } from './PostActions'

/** Likes a post, or takes it back; a visitor is sent to sign in. The heart bursts once, when one likes. */
export function LikeButton({ post }: { post: Post }) {
  const { isAuthenticated } = useCurrentUser()
  const like = useToggleLike(post.id)
  const heart = useRef<HTMLSpanElement>(null)
  const press = () => {
    if (!isAuthenticated) {
      openLoginPage()
      return
    }
    if (!post.liked) burst(heart.current)
    like.mutate()
  }
  const count = post.likesCount
  return (
    <PostAction
      type="button"
      aria-pressed={post.liked}
      aria-label={`Like, ${count} ${count === 1 ? 'like' : 'likes'}`}
      onClick={press}
    >
      <Box as="span" ref={heart} fontSize="lg">
        <HeartIcon filled={post.liked} />
      </Box>
      <span aria-hidden>{count > 0 ? compactNumber(count) : 'Like'}</span>
    </PostAction>
  )
}

function burst(element: HTMLElement | null): void {
  if (!element || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element.animate(
    [{ transform: 'scale(0.7)' }, { transform: 'scale(1.35)', offset: 0.5 }, { transform: 'scale(1)' }],
    { duration: 200, easing: 'ease-out' },
  )
}
