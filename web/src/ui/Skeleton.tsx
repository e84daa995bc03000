import { Box, type BoxProps, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { VisuallyHidden } from './layout'

const Block = chakra('div', {
  base: {
    bg: 'shimmer',
    borderRadius: 'sm',
    animation: 'breathe 1600ms ease-in-out infinite',
  },
})

/** Shows a gray shape as large as the content to be loaded. Hidden from screen readers: wrap a group in `Loading`. */
export function Skeleton(props: BoxProps) {
  return <Block aria-hidden height="4" {...props} />
}

const bars = ['first', 'second', 'third', 'fourth', 'fifth']

/** Shows `lines` bars (at most 5) like a paragraph, the last one shorter. */
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

export function SkeletonCircle({ size = '11' }: { size?: BoxProps['width'] }) {
  return <Skeleton width={size} height={size} borderRadius="full" flexShrink={0} />
}

/** Announces once to screen readers that content is loading. The children are the skeletons. */
export function Loading({ label = t`Loading`, children, ...props }: { label?: string } & BoxProps) {
  return (
    <Box role="status" position="relative" {...props}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {children}
    </Box>
  )
}

const Ring = chakra('span', {
  base: {
    display: 'inline-block',
    width: '1.1em',
    height: '1.1em',
    flexShrink: 0,
    borderRadius: 'full',
    borderWidth: '2px',
    borderColor: 'currentColor',
    borderBottomColor: 'transparent',
    animation: 'spin 700ms linear infinite',
  },
})

/** Shows a spinning ring. Decorative, because the text beside it says what is loading. */
export function Spinner() {
  return <Ring aria-hidden />
}
