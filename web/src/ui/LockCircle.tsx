import { chakra, type HTMLChakraProps } from '@chakra-ui/react'
import { LockIcon } from './icons'

const Circle = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    flexShrink: 0,
    boxSize: '10',
    borderRadius: 'full',
    bg: 'gold.wash',
    color: 'gold.text',
    fontSize: 'xl',
  },
})

/** Shows a lock in a circle, for content that is paid for once. Accepts all props of a span. */
export function LockCircle(props: HTMLChakraProps<'span'>) {
  return (
    <Circle {...props}>
      <LockIcon />
    </Circle>
  )
}
