import { Box } from '@chakra-ui/react'
import type { Presence } from '@contract/message.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router-dom'
import { useOpenTipDialog } from '@/billing/tips'
import { paths } from '@/lib/paths'
import { conversationName } from '@/lib/text'
import { compactTimeAgo, fullTime, useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { IconButton } from '@/ui/IconButton'
import { ArrowLeftIcon, CheckIcon, CoinIcon, InfoIcon, StarIcon } from '@/ui/icons'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { userTextLine } from '@/ui/UserText'
import { useMinWidth } from '@/ui/useMinWidth'
import { conversationDetailsQuery } from '../api/conversations'
import { OnlineIndicator } from './ConversationRow'
import { ThreadMenu } from './ThreadMenu'
import type { useDetailsPanel } from './useDetailsPanel'
import { threadHeaderAttributes } from './usePanelFocus'

/**
 * Shows the other user of the open conversation, with a menu, a button for the details and, if the user is a creator, a
 * tip button. On phones, there is a back button and no details button: the name opens the details.
 */
export function ThreadHeader({
  user,
  presence,
  isSubscriber,
  loading,
  online,
  canTip,
  panel,
  onBack,
}: {
  user: UserCard | undefined
  presence: Presence | undefined
  /** Whether the other user subscribes to the current user. */
  isSubscriber: boolean
  loading: boolean
  /** Whether the realtime channel says that the user is online. Newer than `presence`, which comes from the list. */
  online: boolean
  /** Whether the header has a tip button if the other user is a creator. */
  canTip: boolean
  panel: ReturnType<typeof useDetailsPanel>
  onBack: () => void
}) {
  const name = conversationName(user)
  const isPhone = !useMinWidth('md')
  const { data: details } = useQuery({
    ...conversationDetailsQuery(user?.id ?? ''),
    enabled: user?.isCreator === true,
    // The open details refetch them more often.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  const isOnline = online || presence?.online === true
  const hasPresence = isOnline || Boolean(presence?.lastSeenAt)
  const isSubscribed = Boolean(details?.subscription)
  return (
    <Box
      {...threadHeaderAttributes}
      role="group"
      aria-label={user ? t`Conversation with ${name}` : t`Conversation`}
      _focusVisible={{ outlineOffset: '-2px' }}
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="16"
      paddingInline="4"
      paddingTop={{ base: 'env(safe-area-inset-top)', md: '0' }}
      borderBottomWidth="1px"
    >
      {/* Aligns the arrow, not its touch target, with the list. */}
      <Box hideFrom="md" marginInlineStart="-3" marginInlineEnd="-2">
        <IconButton label={t`Back to conversations`} tooltip={false} onClick={onBack}>
          <ArrowLeftIcon />
        </IconButton>
      </Box>
      {loading && (
        <>
          <SkeletonCircle />
          <Skeleton height="4" width="8rem" />
        </>
      )}
      {user && (
        <Box position="relative" display="flex" alignItems="center" gap="3" minWidth="0">
          <Box display="grid" position="relative" flexShrink={0}>
            <Avatar user={{ ...user, displayName: name }} />
            {isOnline && <OnlineIndicator />}
          </Box>
          <Box minWidth="0">
            <Box display="flex" alignItems="center" gap="2">
              <Box as="h2" textStyle="label" minWidth="0">
                <Box asChild {...nameArea} {...userTextLine}>
                  <NameAction
                    href={isPhone ? null : paths.profile.getHref(user.handle)}
                    onOpenDetails={panel.toggle}
                  >
                    {name}
                  </NameAction>
                </Box>
              </Box>
              {isSubscriber && (
                // On phones, the name needs the space, so only the star is visible, as in the list.
                <Badge
                  tone="gold"
                  flexShrink="0"
                  paddingInline={{ base: '0', md: '2' }}
                  bg={{ base: 'transparent', md: 'gold.wash' }}
                  fontSize={{ base: 'md', md: 'xs' }}
                >
                  <StarIcon filled />
                  <Box as="span" srOnly={{ base: true, md: false }}>{t`Subscriber`}</Box>
                </Badge>
              )}
            </Box>
            <Box textStyle="small" color="muted" truncate>
              {isSubscribed && (
                <>
                  {/* On phones, there is no room for the word. */}
                  <Box
                    as="span"
                    hideFrom="md"
                    display="inline-block"
                    verticalAlign="-0.125em"
                    marginInlineEnd="1"
                    color="gold.text"
                  >
                    <CheckIcon />
                  </Box>
                  <Box as="span" srOnly={{ base: true, md: false }} color="gold.text" fontWeight="medium">
                    {t`Subscribed`}
                  </Box>
                  <Box as="span" hideBelow="md">
                    {' · '}
                  </Box>
                </>
              )}
              {/* On phones, there is no room for the handle beside the time. */}
              <Box as="span" hideBelow={hasPresence ? 'md' : undefined}>
                <bdi dir="ltr">@{user.handle || 'user'}</bdi>
                {hasPresence && ' · '}
              </Box>
              {isOnline ? t`Online` : presence?.lastSeenAt && <LastSeen at={presence.lastSeenAt} />}
            </Box>
          </Box>
        </Box>
      )}
      {user && (
        <Box display="flex" alignItems="center" gap="1" flexShrink={0} marginInlineStart="auto">
          {user.isCreator && canTip && <TipButton user={user} />}
          {!isPhone && <DetailsButton panel={panel} />}
          {user.handle && <ThreadMenu user={user} />}
        </Box>
      )}
    </Box>
  )
}

/** The styles of the name. Its click area also covers the avatar and the line below the name. */
const nameArea = {
  display: 'block',
  maxWidth: 'full',
  truncate: true,
  cursor: 'pointer',
  _after: { content: '""', position: 'absolute', inset: '0', borderRadius: 'sm' },
  _focusVisible: {
    outline: 'none',
    _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '2px' },
  },
} as const

/** Links to the profile or, without `href`, opens the details. */
function NameAction({
  href,
  onOpenDetails,
  children,
  ...props
}: {
  href: string | null
  onOpenDetails: () => void
  children: ReactNode
}) {
  return href ? (
    <Link to={href} {...props}>
      {children}
    </Link>
  ) : (
    <button type="button" aria-haspopup="dialog" {...props} onClick={onOpenDetails}>
      {children}
    </button>
  )
}

function DetailsButton({ panel }: { panel: ReturnType<typeof useDetailsPanel> }) {
  return (
    <IconButton
      label={t`Details`}
      {...(panel.hasPanel ? { 'aria-pressed': panel.isPanelOpen } : { 'aria-haspopup': 'dialog' })}
      color={panel.isPanelOpen ? 'ember.text' : undefined}
      bg={panel.isPanelOpen ? 'ember.wash' : undefined}
      onClick={panel.toggle}
    >
      <InfoIcon />
    </IconButton>
  )
}

function TipButton({ user }: { user: UserCard }) {
  const openTipDialog = useOpenTipDialog()
  const button = useRef<HTMLButtonElement>(null)
  const name = conversationName(user)
  const hasLabel = useMinWidth('md')
  return (
    <IconButton
      ref={button}
      size={hasLabel ? 'sm' : 'icon'}
      variant={hasLabel ? 'outline' : 'ghost'}
      label={t`Tip ${name}`}
      tooltip={!hasLabel}
      aria-haspopup="dialog"
      onClick={() => openTipDialog({ creator: user, finalFocus: () => button.current })}
    >
      <CoinIcon />
      {hasLabel && t({ message: 'Tip', context: 'verb' })}
    </IconButton>
  )
}

function LastSeen({ at }: { at: string }) {
  const ago = compactTimeAgo(at, useNow())
  return (
    // On wider screens, the time is in front of the name's click area, so that the time's tooltip can be shown.
    <Box asChild position={{ md: 'relative' }} zIndex={{ md: 'raised' }}>
      <time dateTime={at} title={fullTime(at)}>
        {t`Last seen ${ago}`}
      </time>
    </Box>
  )
}
