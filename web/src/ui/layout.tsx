import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

/**
 * A surface with a border on all sides or, on phones, only above and below. With `inset`, the border is on all sides on
 * phones too, for dashboards, whose pages have a margin.
 */
export const Card = chakra('div', {
  base: {
    bg: 'surface',
    borderColor: 'hairline',
    borderBlockWidth: '1px',
    borderInlineWidth: { base: '0', md: '1px' },
    borderRadius: { base: '0', md: 'lg' },
  },
  variants: { inset: { true: { borderInlineWidth: '1px', borderRadius: 'lg' } } },
})

/** The top margin that joins a card to what is above it on phones: it closes the gap and covers the border above it. */
export const joinedMargin = { base: 'calc(-1px - {spacing.2})', md: '0' }

/**
 * Marks a screen that fills the window. It is a flex item in a column that takes up the space between the shell's bars.
 */
export const fullHeightAttribute = { 'data-full-height': '' }

/**
 * Matches short windows. A screen that fills a short window has no margins, so that it is at least 600 pixels tall if
 * possible.
 */
export const lowWindow = '@media (max-height: 44rem)'

/** Matches while a page has a header with a back button, which replaces the top bar on phones. */
export const withBackHeader = 'body:has([data-back-header]) &'

/** The style of a line of chips that scrolls horizontally and fades out at both ends. */
export const scrollingChips = {
  // Leaves room for a chip's focus ring. The chips scroll to the edge of a container with the usual padding.
  paddingBlock: '1',
  marginBlock: '-1',
  paddingInlineStart: '4',
  marginInlineStart: '-4',
  // Lets the user scroll the last chip out of the fade.
  paddingInlineEnd: '8',
  marginInlineEnd: '-4',
  maskImage:
    'linear-gradient(to right, transparent, {colors.text} {spacing.4}, {colors.text} calc(100% - {spacing.8}), transparent)',
  _rtl: {
    maskImage:
      'linear-gradient(to left, transparent, {colors.text} {spacing.4}, {colors.text} calc(100% - {spacing.8}), transparent)',
  },
} as const

/** Matches for signed-in users. Visitors have no sidebar and keep their top bar. */
const withSidebar = 'body:has(#right-sidebar) &'
const stickyOnPhones = {
  mdDown: {
    [withSidebar]: {
      position: 'sticky',
      top: '0',
      zIndex: 'sticky',
      bg: 'bg',
      // Covers the upper border of a card below, which would scroll away.
      borderBottomWidth: '1px',
      marginBottom: '-1px',
    },
  },
} as const

/** Shows the header of a page: the back link, the heading, a note beside or below it, and an action. */
export function PageHeader({
  title,
  note,
  action,
  back,
}: {
  title: ReactNode
  note?: ReactNode
  action?: ReactNode
  back?: ReactNode
}) {
  return (
    <Box
      display="flex"
      alignItems="center"
      gap="2"
      minHeight="14"
      paddingInline={{ base: '4', md: '0' }}
      {...(back ? { 'data-back-header': '', css: stickyOnPhones } : {})}
    >
      {/* On phones, aligns the arrow, not its touch target, with the content. */}
      {back && <Box marginInlineStart={{ base: '-4', md: '0' }}>{back}</Box>}
      <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="3" flex="1" minWidth="0">
        <Box as="h1" textStyle="heading" minWidth="0" lineClamp="2">
          {title}
        </Box>
        {note}
      </Box>
      {action}
    </Box>
  )
}

/** Shows a notice with an icon and a title. */
export function Notice({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Box
      display="flex"
      alignItems="flex-start"
      gap="2.5"
      padding="3.5"
      bg="sunken"
      borderRadius="md"
      textStyle="small"
      minWidth="0"
    >
      <Box as="span" marginTop="0.5" fontSize="lg" flexShrink={0} color="muted">
        {icon}
      </Box>
      <Box minWidth="0" flex="1" overflowWrap="anywhere">
        <Box as="strong" textStyle="label" display="block">
          {title}
        </Box>
        {children}
      </Box>
    </Box>
  )
}

/** Shows a notice above a screen. */
export function Banner({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box marginBottom={{ base: '2', md: '4' }}>
      <Card asChild overflow="hidden" position="relative">
        <section aria-label={label}>{children}</section>
      </Card>
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

/** A link within the app, in running text. */
export const TextLink = chakra(Link, linkStyle)
/** A link to another site, in running text. Set `rel` together with `target` if it opens a new tab. */
export const TextAnchor = chakra('a', linkStyle)

/** Makes a link in a line of text at least 44 px high, with padding that takes up no space. */
export const lineTarget = { paddingBlock: '3.5', marginBlock: '-3.5' } as const

/** Text for screen readers only. */
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

const SkipAnchor = chakra('a', {
  base: {
    position: 'fixed',
    top: '2',
    insetStart: '2',
    zIndex: 'skipLink',
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: 'target',
    paddingInline: '5',
    borderRadius: 'full',
    bg: 'inverse',
    color: 'onInverse',
    fontWeight: 'semibold',
    opacity: 0,
    pointerEvents: 'none',
    _focus: { opacity: 1, pointerEvents: 'auto' },
  },
})

/** A link that skips the navigation and is visible only while it has focus. The first element of every screen. */
export function SkipLink() {
  return <SkipAnchor href="#main">{t`Skip to content`}</SkipAnchor>
}
