import { Box, type BoxProps, chakra } from '@chakra-ui/react'
import { VisuallyHidden } from './layout'

const Block = chakra('div', {
  base: {
    bg: 'shimmer',
    borderRadius: 'sm',
    animation: 'breathe 1600ms ease-in-out infinite',
  },
})

/** A grey shape in the size of what comes. Hidden from assistive technology: wrap a group in `Loading`. */
export function Skeleton(props: BoxProps) {
  return <Block aria-hidden height="4" {...props} />
}

const bars = ['first', 'second', 'third', 'fourth', 'fifth']

/** `lines` bars (at most 5) like a paragraph, the last one shorter. */
export function SkeletonText({ lines = 2, ...props }: { lines?: number } & BoxProps) {
  return (
    <Box aria-hidden {...props}>
      {bars.slice(0, lines).map((bar, index) => (
        <Skeleton
          key={bar}
          height="3"
          marginTop={index ? '2.5' : '0'}
          width={index === lines - 1 ? '60%' : '100%'}
        />
      ))}
    </Box>
  )
}

export function SkeletonCircle({ size = '11' }: { size?: string }) {
  return <Skeleton width={size} height={size} borderRadius="full" flexShrink={0} />
}

/** Says once, to assistive technology, that something is on its way; shows the skeletons given to it. */
export function Loading({ label = 'Loading', children, ...props }: { label?: string } & BoxProps) {
  return (
    <Box role="status" position="relative" {...props}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {children}
    </Box>
  )
}
