import { Box, chakra } from '@chakra-ui/react'
import type { User, UserDetails } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { compactNumber } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { monthAndYear } from '@/lib/time'
import { ProfileBadges } from '@/profile/ProfileBadges'
import { useContentPollInterval, useIsConnectionSettled } from '@/realtime/connection'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button, ButtonLink } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { CalendarIcon, EyeIcon, PencilIcon, SettingsIcon, ShareIcon } from '@/ui/icons'
import { lineTarget, TextLink } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { shareLink } from '@/ui/share-link'
import { Tooltip } from '@/ui/Tooltip'
import { UserText, userTextLine, userTextParagraphs } from '@/ui/UserText'
import { useIsOverflowing } from '@/ui/useIsOverflowing'
import { useMinWidth } from '@/ui/useMinWidth'
import { statsQuery } from '../api'
import { CoverEditor } from './CoverEditor'
import { FollowedBy } from './FollowedBy'
import { PhotoEditor } from './PhotoEditor'
import { canSubscribeTo, isSubscribedTo, ProfileActions, roundButton, SubscribeRow } from './ProfileActions'

const coverHeight = { base: '6rem', md: '10rem' }

/**
 * Shows the cover, avatar, names, bio, counts and actions of a profile. On phones, it leaves room for the first post to
 * be visible.
 *
 * @param subscribeRow a ref for the element that contains the subscribe button
 */
export function ProfileHeader({
  user,
  isOwn,
  lockedStrip,
  subscribeRow,
}: {
  user: UserDetails
  isOwn: boolean
  lockedStrip: ReactNode
  subscribeRow: Ref<HTMLDivElement>
}) {
  const name = displayName(user)
  const isWide = useMinWidth('md')
  return (
    <header>
      <Box position="relative">
        <CoverImage url={user.backgroundImageUrl} height={coverHeight} />
        {isOwn && <CoverEditor user={user} />}
      </Box>
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom={{ base: '2', md: '5' }}>
        <Box
          display="grid"
          gridTemplateColumns="auto minmax(0, 1fr) minmax(0, max-content)"
          alignItems="end"
          columnGap={{ base: '2', md: '3' }}
          // In browsers that support this, the Tab key follows the rows rather than the order in the document.
          css={{ readingFlow: 'grid-rows' }}
        >
          <Box
            display="flex"
            position="relative"
            gridColumn="1"
            gridRow={{ base: '1', md: '1 / 3' }}
            marginTop={{ base: '-12', md: '-14' }}
            // The photo, not its border, aligns with the text.
            marginInlineStart="-1"
            borderRadius="full"
            borderWidth="4px"
            borderColor="surface"
            bg="surface"
          >
            <Avatar user={{ ...user, displayName: name }} size="xl" label={t`Photo of ${name}`} />
            {isOwn && <PhotoEditor />}
          </Box>
          {isOwn ? <OwnActions user={user} /> : <ProfileActions user={user} />}
          <ProfileNames user={user} isOwn={isOwn} />
          <Box gridColumn="1 / -1" gridRow={{ base: '4', md: '3' }} minWidth="0">
            {user.bio && (
              // Leaves room for the first post.
              <Bio text={user.bio} maxLines={canSubscribeTo(user) && !isOwn ? 2 : 5} />
            )}
            <Box
              display={{ md: 'flex' }}
              flexWrap="wrap"
              alignItems="center"
              justifyContent="space-between"
              columnGap="3"
            >
              <ProfileCounts user={user} isOwn={isOwn} />
              {user.followedBy && !isOwn && (
                <FollowedBy
                  followedBy={user.followedBy}
                  isShort={isWide}
                  marginTop={{ base: '1', md: '3' }}
                  textStyle="caption"
                />
              )}
            </Box>
            {isOwn && <ViewsThisWeek user={user} />}
          </Box>
          {!isOwn && <SubscribeRow ref={subscribeRow} user={user} lockedStrip={lockedStrip} />}
        </Box>
      </Box>
    </header>
  )
}

/**
 * Shows the name, and below it the handle, badges and join date. On wide screens, they are beside the photo. On the
 * line of the name, the menu of a subscription follows.
 */
function ProfileNames({ user, isOwn }: { user: UserDetails; isOwn: boolean }) {
  const joinDate = monthAndYear(user.createdAt)
  return (
    <>
      <Box
        as="h1"
        gridColumn={
          isSubscribedTo(user) ? { base: '1 / 3', md: '2' } : { base: '1 / -1', md: isOwn ? '2' : '2 / -1' }
        }
        gridRow={{ base: '2', md: '1' }}
        marginTop={{ base: '1', md: '3' }}
        textStyle="heading"
        overflowWrap="anywhere"
        {...userTextLine}
      >
        {displayName(user)}
      </Box>
      <Box
        gridColumn={{ base: '1 / -1', md: isOwn ? '2' : '2 / -1' }}
        gridRow={{ base: '3', md: '2' }}
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        columnGap="2"
        rowGap="0.5"
        textStyle="small"
        color="muted"
      >
        <Box as="span" marginInlineEnd="1" overflowWrap="anywhere">
          <bdi dir="ltr">@{user.handle}</bdi>
        </Box>
        <ProfileBadges user={user} />
        {/* On phones, a date that does not fit on the line wraps in this box, which hides it. */}
        <Box
          as="span"
          display="flex"
          flexWrap="wrap"
          flex={{ base: '1 1 0', md: 'none' }}
          height="1lh"
          overflow="hidden"
        >
          <Box as="span" height="1lh" />
          <Box as="span" display="inline-flex" alignItems="center" gap="1.5" whiteSpace="nowrap">
            <CalendarIcon /> {t`Joined ${joinDate}`}
          </Box>
        </Box>
      </Box>
    </>
  )
}

/** Shows the buttons to edit and to share the viewer's own profile and, on phones, a link to the settings. */
function OwnActions({ user }: { user: User }) {
  const share = () => shareLink(`${window.location.origin}${paths.profile.getHref(user.handle)}`)
  return (
    <Box gridColumn="3" gridRow={{ base: '1', md: '1 / 3' }} display="flex" gap="2" marginTop="2">
      <ButtonLink
        to={paths.settings.getHref('profile')}
        variant="outline"
        size="sm"
        minHeight="target"
        paddingInline={{ base: '3', md: '4' }}
      >
        <Box as="span" fontSize="lg">
          <PencilIcon />
        </Box>
        {t`Edit Profile`}
      </ButtonLink>
      <Tooltip label={t`Share profile`}>
        <Button {...roundButton} aria-label={t`Share profile`} onClick={share}>
          <ShareIcon />
        </Button>
      </Tooltip>
      <ButtonLink to={paths.settings.getHref()} {...roundButton} aria-label={t`Settings`} hideFrom="md">
        <SettingsIcon />
      </ButtonLink>
    </Box>
  )
}

/**
 * Shows the bio. On phones, a long one is cut off until the viewer expands it, so that the posts are not pushed far
 * down. The "Show more" button covers the end of the last line: the left end if the bio is written from right to left.
 * A press anywhere else in the bio, except on a link, has the same effect, because the button is too small for touch.
 */
function Bio({ text, maxLines }: { text: string; maxLines: number }) {
  const box = useRef<HTMLDivElement>(null)
  const [isExpanded, setExpanded] = useState(false)
  const isCut = useIsOverflowing(box, text)
  return (
    <Box
      position="relative"
      dir="auto"
      marginTop={{ base: '1', md: '3' }}
      onClick={({ target }) =>
        isCut && !(target instanceof Element && target.closest('a')) && setExpanded(true)
      }
    >
      <Box
        ref={box}
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...userTextParagraphs}
        lineClamp={isExpanded ? undefined : { base: maxLines, md: 'none' }}
      >
        <UserText text={text} />
      </Box>
      {isCut && !isExpanded && (
        <Button
          variant="link"
          position="absolute"
          // Above the targets of the counts, which extend upward.
          zIndex="1"
          insetEnd="0"
          bottom="0"
          minHeight="0"
          gap="1"
          paddingInline="0"
          lineHeight="snug"
          fontSize="inherit"
          bg="surface"
        >
          <Box as="span" color="text" fontWeight="normal" aria-hidden>
            …
          </Box>
          {t`Show more`}
        </Button>
      )}
    </Box>
  )
}

/** A link whose target covers the number and the label and is large enough for touch. */
const CountLink = chakra(Link, {
  base: {
    _after: { content: '""', position: 'absolute', insetInline: '0', insetBlock: '-3' },
    _hover: { textDecoration: 'underline', color: 'text' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', borderRadius: 'xs' },
    },
  },
})

/** Shows the numbers of posts, followers, followed users and, for creators, subscribers. Omits hidden counts. */
function ProfileCounts({ user, isOwn }: { user: User; isOwn: boolean }) {
  const { isAuthenticated } = useCurrentUser()
  const isSettled = useIsConnectionSettled()
  const pollInterval = useContentPollInterval()
  const {
    data: stats,
    isPending,
    isError,
    refetch,
  } = useQuery({
    ...statsQuery(user.id),
    // Visitors have no realtime connection to wait for.
    enabled: (isOwn || user.canView) && (isSettled || !isAuthenticated),
    refetchInterval: pollInterval,
  })
  if (!isOwn && !user.canView) return null
  if (isPending) return <Skeleton height="6" width="16rem" maxWidth="100%" marginTop="3" />
  if (isError && !stats) {
    return (
      <Box
        role="alert"
        display="flex"
        alignItems="center"
        gap="2"
        marginTop="3"
        textStyle="small"
        color="muted"
      >
        {t`Couldn't load counts.`}
        <Button variant="link" size="sm" onClick={() => void refetch()}>
          {t`Try again`}
        </Button>
      </Box>
    )
  }
  // Visitors cannot open the lists.
  const listPaths = isAuthenticated ? { followers: paths.followers, following: paths.followed } : {}
  const { posts, followers, following, subscribers } = stats ?? {}
  const counts = [
    { label: plural(posts ?? 0, { one: 'Post', other: 'Posts' }), count: posts },
    {
      label: plural(followers ?? 0, { one: 'Follower', other: 'Followers' }),
      count: followers,
      path: listPaths.followers,
    },
    { label: t`Following`, count: following, path: listPaths.following },
    {
      label: plural(subscribers ?? 0, { one: 'Subscriber', other: 'Subscribers' }),
      count: user.isCreator ? subscribers : null,
    },
  ]
  const visibleCounts = counts.flatMap(({ label, count, path }) =>
    typeof count === 'number' ? [{ label, count, to: path?.getHref(user.handle) }] : [],
  )
  if (visibleCounts.length === 0) return null
  return (
    <Box
      as="dl"
      display="flex"
      flexWrap="wrap"
      columnGap={{ base: '3', md: '4' }}
      rowGap="1"
      marginTop={{ base: '1.5', md: '3' }}
    >
      {visibleCounts.map(({ label, count, to }) => (
        <Box
          key={label}
          position="relative"
          display="flex"
          flexDirection="row-reverse"
          columnGap="1"
          alignItems="baseline"
        >
          <Box as="dt" textStyle={{ base: 'caption', md: 'small' }} color="muted">
            {to ? <CountLink to={to}>{label}</CountLink> : label}
          </Box>
          <Box
            as="dd"
            textStyle="label"
            fontSize={{ base: 'sm', md: 'md' }}
            fontVariantNumeric="tabular-nums"
          >
            {compactNumber(count)}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

/** Shows how often the viewer's own posts were viewed in the last 7 days and, for creators, a link to the analytics. */
function ViewsThisWeek({ user }: { user: User }) {
  // `ProfileCounts` fetches the stats.
  const { data } = useQuery({ ...statsQuery(user.id), enabled: false })
  const count = data?.viewsThisWeek
  if (typeof count !== 'number' || (count === 0 && !user.isCreator)) return null
  return (
    <Box
      display="flex"
      alignItems="center"
      columnGap="1.5"
      marginTop={{ base: '1.5', md: '2' }}
      textStyle={{ base: 'caption', md: 'small' }}
      color="muted"
      fontVariantNumeric="tabular-nums"
    >
      <EyeIcon />
      {t`${plural(count, { one: '# view this week', other: '# views this week' })}`}
      {user.isCreator && (
        <>
          <span aria-hidden>·</span>
          <TextLink to={paths.analytics.getHref()} {...lineTarget}>
            {t`View analytics`}
          </TextLink>
        </>
      )}
    </Box>
  )
}

/** Shows a placeholder while the profile loads. */
export function ProfileSkeleton() {
  return (
    <Loading label={t`Loading profile`}>
      <Skeleton height={coverHeight} borderRadius="0" />
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="5" marginTop={{ base: '-12', md: '-14' }}>
        <SkeletonCircle size={{ base: '5.5rem', md: '7.5rem' }} />
        <Box marginTop={{ base: '4', md: '-12' }} marginInlineStart={{ md: '8.5rem' }}>
          <Skeleton height="6" width="45%" />
          <Skeleton height="4" width="25%" marginTop="2.5" />
        </Box>
        <SkeletonText lines={2} marginTop="4" />
      </Box>
    </Loading>
  )
}
