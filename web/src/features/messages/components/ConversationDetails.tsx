import { Box, chakra } from '@chakra-ui/react'
import type { ConversationDetails as Details, MessagePhoto } from '@contract/message.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { SubscribeButton } from '@/billing/components/SubscribeButton'
import { OfferNote } from '@/billing/components/SubscriptionBenefits'
import { usePaymentsConfig } from '@/billing/payments'
import { isExpired, recurringPriceText } from '@/billing/subscriptions'
import { dollars } from '@/lib/format'
import { paths } from '@/lib/paths'
import { conversationName, isDeletedAccount } from '@/lib/text'
import { longDate } from '@/lib/time'
import { BlockUserDialog } from '@/moderation/components/BlockUserDialog'
import { useReportActions } from '@/moderation/components/ReportMenuItems'
import { ProfileBadges } from '@/profile/ProfileBadges'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button, ButtonLink } from '@/ui/Button'
import { BanIcon, CoinIcon, PersonIcon, StarIcon } from '@/ui/icons'
import { Lightbox } from '@/ui/Lightbox'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userTextLine } from '@/ui/UserText'
import { conversationDetailsQuery, messagePhotosQuery } from '../api/conversations'
import { NoteForm } from './NoteForm'

/**
 * Shows who the other user of a conversation is, how the two users are related, the viewer's private note about the
 * other user, the photos in the conversation, and the actions from the thread's menu.
 */
export function ConversationDetails({ me, user }: { me: string; user: UserCard }) {
  const details = useQuery(conversationDetailsQuery(user.id))
  const isDeleted = isDeletedAccount(user)
  return (
    <>
      <Person user={user} isDeleted={isDeleted} />
      {details.data ? (
        <>
          <Relation user={user} details={details.data} />
          {!isDeleted && (
            <Section>
              <NoteForm key={user.id} me={me} userId={user.id} saved={details.data.note} />
            </Section>
          )}
          <Photos me={me} user={user} details={details.data} />
        </>
      ) : details.isError ? (
        <Section>
          <InlineError text={t`Couldn't load the details.`} onRetry={() => void details.refetch()} />
        </Section>
      ) : (
        <RelationAndPhotosSkeleton />
      )}
      {!isDeleted && <Actions user={user} />}
    </>
  )
}

/** Shows the outline of the details until the other user is known. */
export function ConversationDetailsSkeleton() {
  return (
    <>
      <Box display="grid" justifyItems="center" gap="3" paddingTop="6" paddingBottom="5">
        <SkeletonCircle size="16" />
        <Skeleton height="4" width="9rem" />
        <Skeleton height="3" width="6rem" />
      </Box>
      <RelationAndPhotosSkeleton />
    </>
  )
}

function RelationAndPhotosSkeleton() {
  return (
    <Loading label={t`Loading details`}>
      <Section>
        <Skeleton height="4" width="80%" />
        <Skeleton height="4" width="55%" marginTop="3" />
      </Section>
      <Section>
        <Skeleton height="4" width="4rem" marginBottom="3" />
        <PhotoGrid>
          {['first', 'second', 'third'].map((photo) => (
            <Skeleton key={photo} height="auto" aspectRatio="1" borderRadius="sm" />
          ))}
        </PhotoGrid>
      </Section>
    </Loading>
  )
}

function Person({ user, isDeleted }: { user: UserCard; isDeleted: boolean }) {
  const name = conversationName(user)
  return (
    <Box
      display="flex"
      flexDirection="column"
      alignItems="center"
      textAlign="center"
      paddingInline="4"
      paddingTop="6"
      paddingBottom="5"
    >
      <Avatar user={{ ...user, displayName: name }} size="lg" />
      <Box textStyle="title" marginTop="3" maxWidth="100%" lineClamp="2" {...userTextLine}>
        {name}
      </Box>
      {!isDeleted && (
        <>
          <Box textStyle="small" color="muted" maxWidth="100%" truncate>
            <bdi dir="ltr">@{user.handle}</bdi>
          </Box>
          {(user.isCreator || user.isAdmin) && (
            <Box display="flex" gap="2" marginTop="2">
              <ProfileBadges user={user} />
            </Box>
          )}
          <ButtonLink
            to={paths.profile.getHref(user.handle)}
            variant="outline"
            size="sm"
            marginTop="4"
          >{t`View profile`}</ButtonLink>
        </>
      )}
    </Box>
  )
}

/** Shows whether the other user follows, subscribes to or has paid the viewer, and the viewer's own subscription. */
function Relation({ user, details }: { user: UserCard; details: Details }) {
  const { user: viewer } = useCurrentUser()
  const { followerSince, subscriber, totalPaid, canSubscribe, subscription } = details
  const hasSales = totalPaid !== null && (viewer?.isCreator || totalPaid > 0)
  const periodEnd = subscriber ? longDate(subscriber.periodEnd) : ''
  const subscribedOn = subscriber ? longDate(subscriber.since) : ''
  const followedOn = followerSince ? longDate(followerSince) : ''
  return (
    <>
      {(subscriber || followerSince || hasSales) && (
        <Section>
          <Box as="ul" listStyleType="none" display="grid" gap="3">
            {subscriber && (
              <Fact
                icon={<StarIcon filled />}
                isGold
                note={subscriber.cancelled ? t`Ends on ${periodEnd}` : recurringPriceText(subscriber)}
              >
                {t`Subscriber since ${subscribedOn}`}
              </Fact>
            )}
            {followerSince && !subscriber && (
              <Fact icon={<PersonIcon />}>{t`Following you since ${followedOn}`}</Fact>
            )}
            {hasSales && (
              <Fact icon={<CoinIcon />} note={t`Subscriptions, posts, photos and tips`}>
                <Box as="span" display="flex" justifyContent="space-between" gap="3">
                  {t`Paid you in total`}
                  <Box as="span" fontWeight="semibold" fontVariantNumeric="tabular-nums">
                    {dollars(totalPaid)}
                  </Box>
                </Box>
              </Fact>
            )}
          </Box>
        </Section>
      )}
      {(canSubscribe || subscription) && <Offer user={user} subscription={subscription} />}
    </>
  )
}

function Fact({
  icon,
  isGold = false,
  note,
  children,
}: {
  icon: ReactNode
  isGold?: boolean
  note?: string
  children: ReactNode
}) {
  return (
    <Box as="li" display="flex" gap="3" textStyle="small">
      <Box color={isGold ? 'gold.text' : 'muted'} fontSize="xl" flexShrink="0">
        {icon}
      </Box>
      <Box flex="1" minWidth="0" textWrap="balance">
        {children}
        {note && <Box color="muted">{note}</Box>}
      </Box>
    </Box>
  )
}

/** Shows the viewer's subscription to a creator, or the offer to subscribe. */
function Offer({ user, subscription }: { user: UserCard; subscription: Details['subscription'] }) {
  const { payments } = usePaymentsConfig(subscription !== null)
  const periodEnd = subscription ? longDate(subscription.periodEnd) : ''
  const renews = payments && payments !== 'off' && !isExpired(subscription?.periodEnd)
  return (
    <Section title={subscription ? t`Your subscription` : t`Subscription`}>
      <Box textStyle="small" color="muted" marginBottom="3">
        {subscription ? recurringPriceText(subscription) : <OfferNote creatorId={user.id} />}
        {subscription?.cancelled ? (
          <Box>{t`Ends on ${periodEnd}`}</Box>
        ) : (
          subscription && renews && <Box>{t`Renews on ${periodEnd}`}</Box>
        )}
      </Box>
      <SubscribeButton user={{ ...user, subscription }} size="sm" width="100%" manageLabel={t`Manage`} />
    </Section>
  )
}

const PhotoGrid = chakra('div', {
  base: { display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: '1' },
})
const PhotoButton = chakra('button', {
  base: {
    position: 'relative',
    display: 'block',
    width: '100%',
    aspectRatio: '1',
    overflow: 'hidden',
    borderRadius: 'sm',
    bg: 'sunken',
    backgroundSize: 'cover',
    backgroundPosition: 'center',
    cursor: 'zoom-in',
    transition: 'opacity {durations.fast}',
    _hover: { opacity: 0.88 },
  },
})
const Thumbnail = chakra('img', {
  // The `alt` text is empty: the button has a label, and its placeholder stays visible if the image fails to load.
  base: { position: 'absolute', inset: '0', width: '100%', height: '100%', objectFit: 'cover' },
})

/** Shows the latest photos of the conversation and, after "Show all", the others. They open in the lightbox. */
function Photos({ me, user, details }: { me: string; user: UserCard; details: Details }) {
  const [isExpanded, setExpanded] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const list = useInfiniteQuery({ ...messagePhotosQuery(user.id), enabled: isExpanded })
  const grid = useRef<HTMLDivElement>(null)
  const name = conversationName(user)
  const allPhotos = isExpanded ? list.data?.pages.flatMap((page) => page.items) : undefined
  const photos = allPhotos ?? details.photos
  const hasMore = allPhotos ? list.hasNextPage : details.hasMorePhotos
  const isOwn = (photo: MessagePhoto) => photo.senderId === me
  const loadMore = () => {
    if (!isExpanded) setExpanded(true)
    else if (list.hasNextPage && !list.isFetching) void list.fetchNextPage()
  }
  return (
    <Section title={t`Photos`}>
      {photos.length === 0 ? (
        <Box
          textStyle="small"
          color="muted"
          textWrap="balance"
        >{t`Photos that you send each other appear here.`}</Box>
      ) : (
        <PhotoGrid ref={grid}>
          {photos.map((photo) => (
            <PhotoButton
              key={photo.messageId}
              type="button"
              data-photo={photo.messageId}
              aria-label={isOwn(photo) ? t`Open photo from you` : t`Open photo from ${name}`}
              style={photo.placeholder ? { backgroundImage: `url("${photo.placeholder}")` } : undefined}
              onClick={() => setOpenId(photo.messageId)}
            >
              <Thumbnail src={photo.url} alt="" loading="lazy" decoding="async" />
            </PhotoButton>
          ))}
        </PhotoGrid>
      )}
      {isExpanded && list.isError && !list.data ? (
        <InlineError text={t`Couldn't load photos.`} onRetry={() => void list.refetch()} />
      ) : allPhotos ? (
        <ShowMoreButton list={list} />
      ) : (
        hasMore && (
          <Button
            variant="quiet"
            size="sm"
            width="100%"
            marginTop="3"
            pending={isExpanded}
            onClick={() => setExpanded(true)}
          >
            {t`Show all`}
          </Button>
        )
      )}
      <Lightbox
        items={photos.map((photo) => ({
          id: photo.messageId,
          kind: 'image',
          url: photo.url,
          label: isOwn(photo) ? t`Photo from you` : t`Photo from ${name}`,
          width: photo.width,
          height: photo.height,
          placeholder: photo.placeholder,
          canDownload: isOwn(photo),
        }))}
        openId={openId}
        onOpen={setOpenId}
        hasMore={hasMore}
        onNearEnd={loadMore}
        finalFocus={(id) => grid.current?.querySelector(`[data-photo="${CSS.escape(id)}"]`) ?? null}
      />
    </Section>
  )
}

const ActionButton = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    minHeight: 'target',
    paddingInline: '4',
    textAlign: 'start',
    cursor: 'pointer',
    '& > svg': { fontSize: 'xl', flexShrink: 0 },
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

function Actions({ user }: { user: UserCard }) {
  const [isBlockDialogOpen, setBlockDialogOpen] = useState(false)
  const opener = useRef<HTMLElement>(null)
  const getReportActions = useReportActions()
  const name = conversationName(user)
  const { id, handle } = user
  const finalFocus = () => opener.current
  const actions = [
    ...getReportActions({ kind: 'user', id, user: { id, name }, finalFocus }),
    {
      value: 'block',
      icon: <BanIcon />,
      label: t`Block @${handle}`,
      onSelect: () => setBlockDialogOpen(true),
    },
  ]
  return (
    <Box borderTopWidth="1px" paddingBlock="2">
      <Box as="ul" listStyleType="none">
        {actions.map(({ value, icon, label, onSelect }) => (
          <li key={value}>
            <ActionButton
              type="button"
              color={value === 'block' ? 'danger.text' : undefined}
              onClick={(event) => {
                opener.current = event.currentTarget
                onSelect()
              }}
            >
              {icon}
              <Box as="span" truncate>
                {label}
              </Box>
            </ActionButton>
          </li>
        ))}
      </Box>
      <BlockUserDialog
        user={user}
        name={name}
        open={isBlockDialogOpen}
        onClose={() => setBlockDialogOpen(false)}
        finalFocus={finalFocus}
      />
    </Box>
  )
}

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Box borderTopWidth="1px" padding="4">
      {title && (
        <Box as="h3" textStyle="label" marginBottom="2.5">
          {title}
        </Box>
      )}
      {children}
    </Box>
  )
}
