import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

/** A surface with a hairline around it on wide screens; on a phone only the line below, so that nothing is boxed in. */
export const Card = chakra('div', {
  base: {
    bg: 'surface',
    borderColor: 'hairline',
    borderBlockWidth: '1px',
    borderInlineWidth: { base: '0', md: '1px' },
    borderRadius: { base: '0', md: 'lg' },
  },
})

/** The title line of a column: the way back, the page's heading, and what can be done. */
export function PageHeader({
  title,
  action,
  back,
}: {
  title: ReactNode
  action?: ReactNode
  back?: ReactNode
}) {
  return (
    <Box display="flex" alignItems="center" gap="2" minHeight="14" paddingInline={{ base: '4', md: '1' }}>
      {back}
      <Box as="h1" textStyle="heading" flex="1" minWidth="0" truncate>
        {title}
      </Box>
      {action}
    </Box>
  )
}

const linkStyle = {
  base: {
    color: 'ember.text',
    fontWeight: 'medium',
    textUnderlineOffset: '0.2em',
    borderRadius: 'xs',
    _hover: { textDecoration: 'underline' },
  },
  variants: { underlined: { true: { textDecoration: 'underline' } } },
}

/** A link in running text, within the app. */
export const TextLink = chakra(Link, linkStyle)
/** A link in running text that leaves the page: give it `href`, and `target` with `rel` where it opens a tab. */
export const TextAnchor = chakra('a', linkStyle)

/** For assistive technology only. */
export const VisuallyHidden = chakra('span', {
  base: {
    position: 'absolute',
    width: '1px',
    height: '1px',
    margin: '-1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  },
})
