import { chakra, type HTMLChakraProps } from '@chakra-ui/react'
import { LockIcon } from './icons'

const Circle = chakra('span', {
  base: {
    // Keeps the circle above a blurred picture.
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    flexShrink: 0,
    boxSize: '7',
    borderRadius: 'full',
    bg: 'surface',
    color: 'gold.text',
  },
})

/** Shows a lock in a circle, for content that the viewer can unlock. Accepts all props of a span. */
export function LockCircle({ children, ...props }: HTMLChakraProps<'span'>) {
  return (
    <Circle {...props}>
      <LockIcon />
      {children}
    </Circle>
  )
}
