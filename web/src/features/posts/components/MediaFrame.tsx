import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import type { ReactNode } from 'react'
import { frameRatio } from '../frame-ratio'

const Blurred = chakra('img', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    filter: 'blur(1.25rem)',
    // Past the edges, where the blur would let the ground through.
    transform: 'scale(1.15)',
  },
})

/** The room of a post's picture or video, its blurred miniature in it until what it shows is there. */
export function MediaFrame({ post, children }: { post: Post; children?: ReactNode }) {
  return (
    <Box
      data-frame
      position="relative"
      isolation="isolate"
      overflow="hidden"
      marginTop="2.5"
      width="100%"
      bg="sunken"
      borderRadius="md"
      borderWidth="1px"
      style={{ aspectRatio: frameRatio(post) }}
    >
      {post.placeholder && <Blurred src={post.placeholder} alt="" aria-hidden decoding="async" />}
      {children}
    </Box>
  )
}
