import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { NavLink, useMatch } from 'react-router-dom'
import CreatorProCard from '@/billing/components/CreatorProCard'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { LockIcon, PlusIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { Tooltip } from '@/ui/Tooltip'
import { useMinWidth } from '@/ui/useMinWidth'
import { accountLinks, creatorLinks, mainLinks, type NavigationLink } from './navigation-links'
import { openComposer } from './quick-dialogs'

/** Matches windows so short that the navigation needs tighter spacing, unless the pointer needs large targets. */
const shortViewport = '@media (max-height: 760px) and (pointer: fine)'

/** The navigation on the left, from 768 px. From 1200 px its icons have labels, unless `iconsOnly` is set. */
export function SideNavigation({ iconsOnly }: { iconsOnly: boolean }) {
  const { user } = useCurrentUser()
  const hasLabels = useMinWidth('xl') && !iconsOnly
  const composeButton = useRef<HTMLButtonElement>(null)
  const isAdminPanel = useMatch(paths.admin.path) !== null
  // For users who are not creators, the locked tools come last, above the card that offers to unlock them.
  const isFan = user !== null && !user.isCreator
  const creatorTools = (
    <>
      <VisuallyHidden asChild>
        <h2 id="creator-tools">{t`Creator tools`}</h2>
      </VisuallyHidden>
      <Box
        aria-hidden
        height="1px"
        flexShrink="0"
        bg="hairline"
        marginBlock={isFan ? '4' : '2.5'}
        marginInline={hasLabels ? '4' : undefined}
        css={{ [shortViewport]: { marginBlock: isFan ? '2' : '1.5' } }}
      />
      <Links links={creatorLinks(user)} hasLabels={hasLabels} labelledBy="creator-tools" quiet={isFan} />
    </>
  )
  return (
    <Box
      as="nav"
      aria-label={t`Main`}
      hideBelow="md"
      position="sticky"
      // Directly below the top bar and its border, even if the window is too short for the whole navigation.
      top="calc({sizes.header} + 1px)"
      alignSelf="start"
      maxHeight="calc(100dvh - {sizes.header} - 1px)"
      overflowY="auto"
      scrollbarWidth="none"
      // Space for the focus rings, which a scrolling box would cut off.
      padding="1"
      margin="-1"
      marginTop="0"
      display="flex"
      flexDirection="column"
    >
      <Box flexShrink="0" height="4" css={{ [shortViewport]: { height: '2' } }} />
      <Links links={mainLinks} hasLabels={hasLabels} />
      {!isFan && creatorTools}
      <Box marginTop="0.5">
        <Links links={accountLinks(user)} hasLabels={hasLabels} />
      </Box>
      <Tooltip label={t`New post`} side="right" disabled={hasLabels}>
        <Button
          ref={composeButton}
          variant={isFan ? 'outline' : 'inverse'}
          marginTop="4"
          paddingInline="0"
          width={hasLabels ? undefined : '12'}
          alignSelf={hasLabels ? undefined : 'center'}
          minHeight="12"
          css={{ [shortViewport]: { marginTop: '2', minHeight: '10' } }}
          onClick={openComposer}
        >
          <Box fontSize="xl">
            <PlusIcon />
          </Box>
          <ItemLabel srOnly={!hasLabels}>{t`New post`}</ItemLabel>
        </Button>
      </Tooltip>
      {isFan && creatorTools}
      {isFan && !isAdminPanel && (
        <CreatorProCard
          key={user.id}
          userId={user.id}
          compact={!hasLabels}
          onDismiss={() => composeButton.current?.focus()}
        />
      )}
      {/* Fades out links that are cut off at the bottom. Covers nothing once the list is scrolled to its end. */}
      <Box
        aria-hidden
        position="sticky"
        bottom="-1"
        flexShrink="0"
        height="8"
        marginInline="-1"
        backgroundImage="linear-gradient(transparent, {colors.bg})"
        pointerEvents="none"
      />
    </Box>
  )
}

function Links({
  links,
  hasLabels,
  labelledBy,
  quiet = false,
}: {
  links: NavigationLink[]
  hasLabels: boolean
  labelledBy?: string
  quiet?: boolean
}) {
  return (
    <Box as="ul" listStyleType="none" aria-labelledby={labelledBy} display="grid" gap="0.5">
      {links.map((link) => (
        <li key={link.to}>
          <NavigationItem link={link} hasLabel={hasLabels} quiet={quiet && hasLabels} />
        </li>
      ))}
    </Box>
  )
}

const Item = chakra(NavLink, {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: '4',
    minHeight: 'target',
    [shortViewport]: { minHeight: '9' },
    flexShrink: 0,
    borderRadius: 'full',
    color: 'muted',
    fontSize: 'lg',
    fontWeight: 'medium',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    '& > svg': { fontSize: '2xl' },
    _hover: { bg: 'hover', color: 'text' },
    '&[aria-current=page]': { color: 'text', fontWeight: 'semibold', '& > svg': { color: 'ember.text' } },
  },
  variants: {
    quiet: {
      true: {
        minHeight: '9',
        '@media (pointer: coarse)': { minHeight: 'target' },
        fontSize: 'md',
        '& > svg': { fontSize: 'xl', marginInline: '0.125rem' },
      },
    },
  },
})

/** A visible label or, if only icons are visible, a label for screen readers that a tooltip shows to other users. */
const ItemLabel = chakra('span')

/** How long a tap on a locked link shows the reason. A second tap within this time follows the link. */
const lockReasonMs = 4_000

/** Shows a link. If it is locked, hover, focus and touch show the reason. */
function NavigationItem({
  link,
  hasLabel,
  quiet,
}: {
  link: NavigationLink
  hasLabel: boolean
  quiet: boolean
}) {
  const tooltip = useReasonTooltip(link.lockReason !== undefined)
  const reason = link.lockReason && t(link.lockReason)
  const label = t(link.label)
  return (
    <Tooltip
      label={reason ?? label}
      side="right"
      disabled={hasLabel && !reason}
      open={tooltip.open}
      onOpenChange={tooltip.setOpen}
    >
      <Item
        to={link.to}
        end={link.end}
        aria-description={reason}
        justifyContent={hasLabel ? 'flex-start' : 'center'}
        paddingInline={hasLabel ? '4' : '0'}
        quiet={quiet}
        {...tooltip.handlers}
      >
        <link.icon />
        <ItemLabel srOnly={!hasLabel}>{label}</ItemLabel>
        {reason && <LockBadge onIcon={!hasLabel} />}
      </Item>
    </Tooltip>
  )
}

/**
 * Marks a locked link.
 *
 * @param onIcon whether the lock is on the corner of the icon; otherwise it is at the end of the link
 */
function LockBadge({ onIcon }: { onIcon: boolean }) {
  return (
    <Box
      as="span"
      color="gold.text"
      {...(onIcon
        ? {
            fontSize: 'sm',
            position: 'absolute',
            insetEnd: '2.5',
            bottom: '1.5',
            borderRadius: 'full',
            bg: 'bg',
          }
        : { fontSize: 'lg', marginInlineStart: 'auto' })}
    >
      <LockIcon />
    </Box>
  )
}

/** Touch screens cannot hover, so the first tap on a locked link shows the reason. The next tap follows the link. */
function useReasonTooltip(locked: boolean) {
  const [open, setOpen] = useState(false)
  const isTouch = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onPointerDown = (event: PointerEvent) => {
    isTouch.current = event.pointerType === 'touch'
  }
  const onClick = (event: MouseEvent) => {
    // `detail` is 0 if the link was activated with the keyboard.
    const byTouch = isTouch.current && event.detail > 0
    isTouch.current = false
    if (!locked || !byTouch || timer.current) return
    event.preventDefault()
    setOpen(true)
    timer.current = setTimeout(() => {
      timer.current = undefined
      setOpen(false)
    }, lockReasonMs)
  }
  return { open, setOpen, handlers: { onPointerDown, onClick } }
}
