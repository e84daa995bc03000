import { Box, chakra } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { uniqueItems } from '@/lib/query-cache'
import { displayName } from '@/lib/text'
import { ProfileBadges } from '@/profile/ProfileBadges'
import { Avatar } from '@/ui/Avatar'
import { CoverImage } from '@/ui/CoverImage'
import { LoadMore } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { userTextLine, userTextParagraphs } from '@/ui/UserText'
import type { UserListQuery } from '../api'
import FollowButton from './FollowButton'

/** The labels of the follow buttons: for the list of all users, or for other lists. */
type Wording = 'friend' | 'list'

const Grid = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: {
      base: 'repeat(auto-fill, minmax(9.5rem, 1fr))',
      md: 'repeat(auto-fill, minmax(14rem, 1fr))',
    },
    gap: { base: '3', md: '4' },
    paddingInline: { base: '3', md: '0' },
    paddingTop: { base: '3', md: '0' },
    listStyleType: 'none',
  },
})

/**
 * Renders its card only near the viewport, so that lists of thousands of users scroll smoothly. The fixed height keeps
 * the page's length stable, so that the scroll position can be restored.
 */
const GridItem = chakra('li', {
  base: {
    minWidth: '0',
    height: '18.5rem',
    // Buttons are taller on touch screens.
    '@media (pointer: coarse)': { height: '19rem' },
    contentVisibility: 'auto',
  },
})

/** Memoized, so that a click or a new page does not render the other cards again. */
const MemoizedCard = memo(function MemoizedCard({ user, wording }: { user: User; wording: Wording }) {
  return (
    <GridItem>
      <UserGridCard user={user} wording={wording} />
    </GridItem>
  )
})

/** Shows a paginated list of users as cards and loads more while the viewer scrolls. */
export function UserGrid({
  query,
  wording,
  empty,
}: {
  query: UserListQuery
  wording: Wording
  empty: ReactNode
}) {
  const list = useInfiniteQuery(query)
  if (list.isPending) return <UserGridSkeleton />
  if (list.isError && !list.data) {
    return (
      <Card>
        <ErrorState message={t`Couldn't load people. Try again.`} onRetry={() => void list.refetch()} />
      </Card>
    )
  }
  const users = uniqueItems(list.data.pages)
  if (users.length === 0 && !list.hasNextPage) return <Card>{empty}</Card>
  return (
    <>
      <Grid aria-busy={list.isFetchingNextPage}>
        {users.map((user) => (
          <MemoizedCard key={user.id} user={user} wording={wording} />
        ))}
      </Grid>
      <LoadMore list={list} label={t`Show more people`} failedLabel={t`Couldn't load more. Try again`} />
    </>
  )
}

const skeletonKeys = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

export function UserGridSkeleton() {
  return (
    <Loading label={t`Loading people`}>
      <Grid aria-hidden>
        {skeletonKeys.map((key) => (
          <GridItem key={key}>
            <UserCardFrame>
              <UserCardCoverSkeleton />
              <Box padding="3" paddingTop="0">
                <UserCardAvatar>
                  <SkeletonCircle size="16" />
                </UserCardAvatar>
                <Skeleton height="4" width="70%" marginTop="2.5" />
                <Skeleton height="3" width="45%" marginTop="2" />
                <SkeletonText lines={2} marginTop="7" />
                <Skeleton height="9" marginTop="4" borderRadius="full" />
              </Box>
            </UserCardFrame>
          </GridItem>
        ))}
      </Grid>
    </Loading>
  )
}

/** The link to the profile. It covers the whole card except for the follow button. */
export const UserCardName = chakra(Link, {
  base: {
    display: 'block',
    textStyle: 'label',
    truncate: true,
    _after: { content: '""', position: 'absolute', inset: '0', borderRadius: 'inherit' },
    _hover: { textDecoration: 'underline' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

/** The frame of a card and of its skeleton. */
export const UserCardFrame = chakra('div', {
  base: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    overflow: 'hidden',
    bg: 'surface',
    borderWidth: '1px',
    borderRadius: 'lg',
  },
})

const coverHeight = '4.5rem'

export function UserCardCover({ url }: { url: string | null }) {
  return <CoverImage url={url} height={coverHeight} lazy />
}

export function UserCardCoverSkeleton() {
  return <Skeleton height={coverHeight} borderRadius="0" flexShrink="0" />
}

/** The place of the avatar, which overlaps the cover. */
export const UserCardAvatar = chakra('div', {
  base: {
    position: 'relative',
    display: 'flex',
    width: 'fit-content',
    marginTop: '-2.25rem',
    borderRadius: 'full',
    borderWidth: '4px',
    borderColor: 'surface',
    bg: 'surface',
  },
})

/** Shows a user as a card. All cards have the same height. */
function UserGridCard({ user, wording }: { user: User; wording: Wording }) {
  const name = displayName(user)
  return (
    <UserCardFrame asChild>
      <article aria-label={name}>
        <UserCardCover url={user.backgroundImageUrl} />
        <Box display="flex" flexDirection="column" flex="1" padding="3" paddingTop="0">
          <UserCardAvatar>
            <Avatar user={{ ...user, displayName: name }} size="lg" />
          </UserCardAvatar>
          <Box minWidth="0" marginTop="1.5">
            <UserCardName to={paths.profile.getHref(user.handle)} {...userTextLine}>
              {name}
            </UserCardName>
            <Box textStyle="small" color="muted" truncate>
              <bdi dir="ltr">@{user.handle}</bdi>
            </Box>
          </Box>
          <Box display="flex" gap="1.5" marginTop="1.5" height="1.375rem">
            <ProfileBadges user={user} />
          </Box>
          {/* Always two lines high. */}
          <Box
            textStyle="small"
            marginTop="2"
            marginBottom="3"
            height="2lh"
            lineClamp="2"
            overflowWrap="anywhere"
            {...userTextParagraphs}
          >
            {user.bio}
          </Box>
          <Box position="relative" marginTop="auto">
            <FollowButton user={user} wording={wording} size="sm" width="100%" />
          </Box>
        </Box>
      </article>
    </UserCardFrame>
  )
}
