import { Box, chakra } from '@chakra-ui/react'
import type { User, UserDetails } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { SubscribeButton } from '@/billing/components/SubscribeButton'
import { OfferNote, SavingsNote } from '@/billing/components/SubscriptionBenefits'
import { SubscriptionCard } from '@/billing/components/SubscriptionCard'
import { monthlyPriceText, subscriptionOfferQuery } from '@/billing/subscriptions'
import { useOpenTipDialog } from '@/billing/tips'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { BlockUserDialog } from '@/moderation/components/BlockUserDialog'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { readOnlyReasonText } from '@/moderation/read-only'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button, ButtonLink } from '@/ui/Button'
import { BanIcon, ChevronDownIcon, CoinIcon, MessageIcon, MoreIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Menu, MenuItem } from '@/ui/Menu'
import { Tooltip } from '@/ui/Tooltip'
import { userTextLine } from '@/ui/UserText'
import { useMinWidth } from '@/ui/useMinWidth'
import { statsQuery } from '../api'
import { FollowMenu } from './FollowMenu'

/**
 * Shows the actions on another user's profile: beside the photo on phones, otherwise below the counts, on the same line
 * as `SubscribeRow`. A creator's follow button is in `SubscribeRow` until the viewer subscribes. Messages are then the
 * main action, whose button takes the remaining width.
 */
export function ProfileActions({ user }: { user: UserDetails }) {
  const { isAuthenticated } = useCurrentUser()
  const isPaid = canSubscribeTo(user)
  const isSubscribed = isSubscribedTo(user)
  return (
    <Box
      gridColumn={
        isSubscribed ? { base: '2 / -1', md: '1 / -1' } : { base: '3', md: isPaid ? '3' : '1 / -1' }
      }
      gridRow={{ base: '1', md: '4' }}
      display="flex"
      flexWrap="wrap"
      justifyContent={{ base: 'flex-end', md: 'flex-start' }}
      gap={{ base: isSubscribed ? '1.5' : '2', md: '2' }}
      marginTop={{ base: '2', md: '4' }}
    >
      {!isPaid && <FollowMenu user={user} size="md" />}
      {isAuthenticated && (
        <MessageLink
          user={user}
          isMain={isSubscribed}
          iconOnly={{ base: !isPaid, md: isPaid && !isSubscribed }}
        />
      )}
      {isSubscribed && <FollowMenu user={user} size="md" compact />}
      {isPaid && <TipUserButton user={user} />}
      <MoreMenu user={user} />
    </Box>
  )
}

/** The props of a round button. */
export const roundButton = {
  variant: 'outline',
  size: 'sm',
  minHeight: 'target',
  width: 'target',
  paddingInline: '0',
  fontSize: 'lg',
} as const

/**
 * Whether a button shows only its icon, without a label: on phones (`base`) and on wider screens (`md`). On the
 * narrowest phones, no button shows a label.
 */
type IconOnly = { base: boolean; md: boolean }

const noLabel = { paddingInline: '0', '& > span + span': { srOnly: true } } as const

const labeledButton = ({ base, md }: IconOnly) =>
  ({
    variant: 'outline',
    size: 'md',
    minWidth: 'target',
    paddingInline: { base: base ? '0' : '4', md: md ? '0' : '4' },
    css: { '@media (max-width: 374px)': noLabel },
  }) as const

/** The props of the main button, which keeps its label, without the icon, where there is no space for both. */
const mainButton = {
  size: 'md',
  flex: '1',
  minWidth: 'target',
  paddingInline: '3',
  css: {
    '@media (min-width: 340px) and (max-width: 389px)': { '& > span:first-of-type': { display: 'none' } },
    '@media (max-width: 339px)': noLabel,
  },
} as const

export const canSubscribeTo = (user: UserDetails) => user.isCreator && user.canView

/** Returns whether the viewer is subscribed to the user, and the user still is a creator whom the viewer can see. */
export const isSubscribedTo = (user: UserDetails) => canSubscribeTo(user) && user.subscription !== null

/**
 * Shows the subscribe button, the follow button, and what a subscription includes. If it includes no posts yet, the
 * follow button is styled as the main action. The buttons do not swap places in that case, because the offer loads
 * after they are shown. The subscribe button takes the remaining width. If the buttons do not fit in a row, each takes
 * the full width.
 *
 * To a subscriber, shows only the menu of the subscription, beside the name. It is part of the same element, so that
 * the payment dialog can close after the payment.
 *
 * @param ref the element that contains the buttons
 */
export function SubscribeRow({
  user,
  lockedStrip,
  ref,
}: {
  user: UserDetails
  lockedStrip: ReactNode
  ref: Ref<HTMLDivElement>
}) {
  const { isAuthenticated } = useCurrentUser()
  const { data: offer } = useQuery({
    ...subscriptionOfferQuery(user.id),
    enabled: isAuthenticated && canSubscribeTo(user) && !user.subscription,
  })
  if (!canSubscribeTo(user)) return null
  const isSubscribed = isSubscribedTo(user)
  const isFollowMain = !isSubscribed && offer?.posts === 0
  return (
    <>
      <Box
        ref={ref}
        {...(isSubscribed
          ? { gridColumn: '3', gridRow: { base: '2', md: '1' } }
          : {
              gridColumn: { base: '1 / -1', md: '1 / 3' },
              gridRow: { md: '4' },
              marginTop: { base: '2', md: '4' },
            })}
        minWidth="0"
        display="flex"
        flexWrap="wrap"
        gap="2"
      >
        <SubscribeButton user={user} secondary={isFollowMain} flex={{ base: '99 0 auto', md: '1 0 auto' }} />
        {!isSubscribed && (
          // Grows little or not at all, so that the subscribe button is wider.
          <Box
            flex={{ base: '1 0 auto', md: '0 0 auto' }}
            css={{ '& > div > button': { width: { base: '100%', md: 'auto' } } }}
          >
            <FollowMenu user={user} size="md" primary={isFollowMain} />
          </Box>
        )}
      </Box>
      {!isSubscribed && (
        <Box
          gridColumn="1 / -1"
          textStyle={{ base: 'caption', md: 'small' }}
          textWrap="balance"
          color="muted"
          marginTop={{ base: '0.5', md: '1.5' }}
        >
          <SubscriptionOffer user={user} lockedStrip={lockedStrip} />
        </Box>
      )}
    </>
  )
}

/** The minimum number of premium posts for a profile to preview them on phones. */
const minPreviewedPosts = 3

/**
 * Shows what a subscription includes. On phones, if there are at least `minPreviewedPosts` premium posts, shows their
 * number and a preview instead, as a link that filters the list of posts.
 */
function SubscriptionOffer({ user, lockedStrip }: { user: UserDetails; lockedStrip: ReactNode }) {
  // `ProfileCounts` fetches the stats.
  const { data: stats } = useQuery({ ...statsQuery(user.id), enabled: false })
  const count = stats?.premiumPosts ?? 0
  const note = <OfferNote creatorId={user.id} premiumPosts={stats?.premiumPosts} />
  if (count < minPreviewedPosts) return note
  return (
    <>
      <PreviewLink to="?kind=premium" replace preventScrollReset>
        {lockedStrip}
        {t`${plural(count, { one: '# premium post', other: '# premium posts' })}`}
        <Box as="span" transform="rotate(-90deg)" color="muted">
          <ChevronDownIcon />
        </Box>
      </PreviewLink>
      <Box hideBelow="md">{note}</Box>
    </>
  )
}

const PreviewLink = chakra(Link, {
  base: {
    display: { base: 'flex', md: 'none' },
    alignItems: 'center',
    gap: '1.5',
    minHeight: 'target',
    // Extends into the space around the row, so that the first post stays near the top.
    marginTop: '-1',
    marginBottom: '-2',
    textStyle: 'label',
    color: 'text',
    borderRadius: 'xs',
  },
})

/**
 * Shows what a subscription includes, beside the profile of a user for whom `canSubscribeTo` is true. Once
 * `SubscribeRow` has been scrolled out of view, the subscribe button of the card is the main one.
 */
export function ProfileSubscriptionCard({
  user,
  subscribeRow,
  preview,
}: {
  user: UserDetails
  subscribeRow: RefObject<HTMLElement | null>
  preview: ReactNode
}) {
  const isRowGone = useIsScrolledPast(subscribeRow)
  // `ProfileCounts` fetches the stats.
  const { data: stats } = useQuery({ ...statsQuery(user.id), enabled: false })
  return (
    <SubscriptionCard
      user={user}
      preview={preview}
      premiumPosts={stats?.premiumPosts}
      secondary={!isRowGone}
    />
  )
}

/**
 * Keeps the subscribe button within reach, below the top bar, once the header of the profile has been scrolled out of
 * view. Not shown beside a sidebar, whose `ProfileSubscriptionCard` stays in view. Render it inside the column at the
 * top of which it should appear. It has no height of its own.
 */
export function StickySubscribeBar({
  user,
  header,
}: {
  user: UserDetails
  header: RefObject<HTMLElement | null>
}) {
  const { isAuthenticated } = useCurrentUser()
  const hasSidebar = useMinWidth('xl') && isAuthenticated
  const isHeaderGone = useIsScrolledPast(header)
  if (!isHeaderGone || hasSidebar || !canSubscribeTo(user) || user.subscription) return null
  const name = displayName(user)
  const price = monthlyPriceText()
  return (
    <Box
      position="sticky"
      top="{sizes.header}"
      zIndex="2"
      height="0"
      marginBottom={{ base: '-2', md: '-4' }}
      transition="transform {durations.slow} {easings.out}"
      // On phones, it takes the place of the top bar, which hides while the viewer scrolls down.
      css={{ mdDown: { '[data-bars-hidden] &': { transform: 'translateY(calc(-1 * {sizes.header}))' } } }}
      role="group"
      aria-label={t`Subscribe`}
    >
      <Card
        display="flex"
        alignItems="center"
        gap="3"
        paddingInline="4"
        paddingBlock="2"
        borderTopWidth="0"
        borderTopRadius="0"
        boxShadow="low"
      >
        <Avatar user={{ ...user, displayName: name }} size="sm" />
        <Box flex="1" minWidth="0">
          <Box textStyle="label" truncate {...userTextLine}>
            {name}
          </Box>
          <Box textStyle="caption" color="gold.text" truncate>
            <SavingsNote creatorId={user.id} />
          </Box>
        </Box>
        <SubscribeButton user={user} size="sm" aria-label={t`Subscribe ${price}/mo: ${name}`} />
      </Card>
    </Box>
  )
}

/** Returns whether the element has been scrolled out of view, above the window or under the top bar. */
function useIsScrolledPast(ref: RefObject<HTMLElement | null>): boolean {
  const [isPast, setPast] = useState(false)
  useEffect(() => {
    if (!ref.current) return
    // `sizes.header` in pixels.
    const headerHeight = 3.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const observer = new IntersectionObserver(
      ([entry]) => entry && setPast(!entry.isIntersecting && entry.boundingClientRect.top < headerHeight),
      { rootMargin: `-${headerHeight}px 0px 0px` },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
  return isPast
}

/**
 * Shows the button to message the user. With `isMain`, the button ignores `iconOnly`, is wide and, if the viewer can
 * message the user, filled.
 */
function MessageLink({ user, iconOnly, isMain }: { user: User; iconOnly: IconOnly; isMain: boolean }) {
  const { user: viewer } = useCurrentUser()
  const label = t({ message: 'Message', context: 'verb' })
  const content = (
    <>
      <Box as="span" fontSize="lg">
        <MessageIcon />
      </Box>
      <Box as="span" srOnly={iconOnly}>
        {label}
      </Box>
    </>
  )
  if (user.canMessage) {
    return (
      <Tooltip label={label} disabled={!iconOnly.md}>
        <ButtonLink
          to={paths.messages.getHref(user.id)}
          {...(isMain ? { ...mainButton, variant: 'inverse' } : labeledButton(iconOnly))}
        >
          {content}
        </ButtonLink>
      </Tooltip>
    )
  }
  const name = displayName(user)
  const readOnlyReason = viewer && readOnlyReasonText(viewer)
  const reason = !user.allowDirectMessages
    ? t`This user has disabled direct messages`
    : readOnlyReason
      ? t`Your account is read-only. ${readOnlyReason}`
      : viewer?.emailConfirmed === false
        ? t`Confirm your email address to message people who don’t follow you`
        : t`You can’t message ${name} right now`
  return (
    <Tooltip label={reason}>
      {/* Not `disabled`, so that the tooltip with the reason works with pointer and keyboard. */}
      <Button
        {...(isMain ? { ...mainButton, variant: 'outline' } : labeledButton(iconOnly))}
        aria-disabled
        aria-description={reason}
      >
        {content}
      </Button>
    </Tooltip>
  )
}

function MoreMenu({ user }: { user: User }) {
  const [isBlockDialogOpen, setBlockDialogOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const { isAuthenticated } = useCurrentUser()
  const name = displayName(user)
  const { handle } = user
  return (
    <>
      <Menu
        label={t`More about ${name}`}
        trigger={
          <Button ref={trigger} {...roundButton} aria-label={t`More about ${name}`}>
            <MoreIcon />
          </Button>
        }
      >
        <ReportMenuItems
          subject={{
            kind: 'user',
            id: user.id,
            user: { id: user.id, name },
            finalFocus: () => trigger.current,
          }}
        />
        {isAuthenticated && (
          <MenuItem value="block" danger onSelect={() => setBlockDialogOpen(true)}>
            <BanIcon /> {t`Block @${handle}`}
          </MenuItem>
        )}
      </Menu>
      <BlockUserDialog
        user={user}
        name={name}
        open={isBlockDialogOpen}
        onClose={() => setBlockDialogOpen(false)}
        finalFocus={() => trigger.current}
      />
    </>
  )
}

/** Shows the button that opens the tip dialog for the creator. */
function TipUserButton({ user }: { user: UserDetails }) {
  const label = t({ message: 'Tip', context: 'verb' })
  const openTipDialog = useOpenTipDialog()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Tooltip label={label}>
      <Button
        ref={button}
        {...roundButton}
        aria-label={label}
        color="gold.text"
        aria-haspopup="dialog"
        onClick={() => openTipDialog({ creator: user, finalFocus: () => button.current })}
      >
        <CoinIcon />
      </Button>
    </Tooltip>
  )
}
