import { Box } from '@chakra-ui/react'
import type { User, UserDetails } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { SubscribeButton } from '@/billing/components/SubscribeButton'
import { monthlyPriceText } from '@/billing/subscriptions'
import { useOpenTipDialog } from '@/billing/tips'
import { paths } from '@/lib/paths'
import { displayName, isolateBidi } from '@/lib/text'
import { useBlockUser } from '@/moderation/api'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { readOnlyReasonText } from '@/moderation/read-only'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button, ButtonLink } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { BanIcon, CoinIcon, MessageIcon, MoreIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Menu, MenuItem } from '@/ui/Menu'
import { Tooltip } from '@/ui/Tooltip'
import { userTextLine } from '@/ui/UserText'
import { FollowMenu } from './FollowMenu'

/** Shows the actions beside the photo on another user's profile. A creator's follow button is in `SubscribeRow`. */
export function ProfileActions({ user }: { user: UserDetails }) {
  const { isAuthenticated } = useCurrentUser()
  const isPaid = canSubscribeTo(user)
  return (
    <Box display="flex" flexWrap="wrap" justifyContent="flex-end" gap="2">
      {!isPaid && <FollowMenu user={user} />}
      {isAuthenticated && <MessageLink user={user} />}
      {isPaid && <TipUserButton user={user} />}
      <MoreMenu user={user} />
    </Box>
  )
}

const canSubscribeTo = (user: UserDetails) => user.isCreator && user.canView

/** Shows the subscribe button, which takes the remaining width, the follow button, and what a subscription includes. */
export function SubscribeRow({ user }: { user: UserDetails }) {
  if (!canSubscribeTo(user)) return null
  return (
    <Box marginTop="3">
      <Box display="flex" flexWrap="wrap" gap="2">
        <SubscribeButton user={user} flex="1" />
        <FollowMenu user={user} />
      </Box>
      {!user.subscription && (
        <Box textStyle="small" color="muted" marginTop="1.5">
          {t`Includes all posts for subscribers. Cancel any time.`}
        </Box>
      )}
    </Box>
  )
}

/**
 * Keeps the button to subscribe in reach, below the top bar, after the header of the profile has been scrolled away. Render
 * it in the column that it should stick to. It has no height of its own.
 */
export function StickySubscribeBar({
  user,
  header,
}: {
  user: UserDetails
  header: RefObject<HTMLElement | null>
}) {
  const isHeaderGone = useIsScrolledPast(header)
  if (!isHeaderGone || !canSubscribeTo(user) || user.subscription) return null
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
        <Box flex="1" minWidth="0" textStyle="label" truncate {...userTextLine}>
          {name}
        </Box>
        <SubscribeButton user={user} size="sm" aria-label={t`Subscribe ${price}/mo: ${name}`} />
      </Card>
    </Box>
  )
}

/** Returns whether the element has been scrolled out of view, above the window. */
function useIsScrolledPast(ref: RefObject<HTMLElement | null>): boolean {
  const [isPast, setPast] = useState(false)
  useEffect(() => {
    if (!ref.current) return
    const observer = new IntersectionObserver(
      ([entry]) => entry && setPast(!entry.isIntersecting && entry.boundingClientRect.top < 0),
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
  return isPast
}

function MessageLink({ user }: { user: User }) {
  const { user: viewer } = useCurrentUser()
  const label = t({ message: 'Message', context: 'verb' })
  if (user.canMessage) {
    return (
      <ButtonLink to={paths.messages.getHref(user.id)} variant="outline" paddingInline="4">
        <MessageIcon /> {label}
      </ButtonLink>
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
      <Button variant="outline" paddingInline="4" aria-disabled aria-description={reason}>
        <MessageIcon /> {label}
      </Button>
    </Tooltip>
  )
}

function MoreMenu({ user }: { user: User }) {
  const [isBlockDialogOpen, setBlockDialogOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const { isAuthenticated } = useCurrentUser()
  const name = displayName(user)
  const isolatedName = isolateBidi(name)
  const { handle } = user
  const block = useBlockUser(user, name)
  return (
    <>
      <Menu
        label={t`More about ${name}`}
        trigger={
          <Button ref={trigger} size="icon" variant="outline" aria-label={t`More about ${name}`}>
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
      <ConfirmDialog
        open={isBlockDialogOpen}
        onClose={() => setBlockDialogOpen(false)}
        onConfirm={() => block.mutate(true, { onSettled: () => setBlockDialogOpen(false) })}
        pending={block.isPending}
        title={t`Block ${isolatedName}?`}
        text={t`You won’t see each other’s posts or profiles, and neither of you can follow or message the other. Past messages stay visible.`}
        confirmLabel={t({ message: 'Block', context: 'verb' })}
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
    <Button
      ref={button}
      variant="outline"
      paddingInline={{ base: '0', sm: '4' }}
      minWidth="target"
      aria-label={label}
      aria-haspopup="dialog"
      onClick={() => openTipDialog({ creator: user, finalFocus: () => button.current })}
    >
      <CoinIcon />
      <Box as="span" hideBelow="sm">
        {label}
      </Box>
    </Button>
  )
}
