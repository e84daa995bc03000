import { Box, chakra } from '@chakra-ui/react'
import type { FeaturedCreator } from '@contract/discover.ts'
import { limits } from '@contract/limits.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { monthlyPriceText } from '@/billing/subscriptions'
import { compactNumber } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Button, ButtonLink } from '@/ui/Button'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { userTextLine, userTextParagraphs } from '@/ui/UserText'
import { useMinWidth } from '@/ui/useMinWidth'
import { featuredQuery } from '../api'
import FollowButton from './FollowButton'
import { FollowedBy } from './FollowedBy'
import { UserCardAvatar, UserCardCover, UserCardCoverSkeleton, UserCardFrame, UserCardName } from './UserGrid'

/**
 * Shows cards in up to `rows` rows, or in one horizontally scrolling row on phones. On wide screens, a single row has
 * four cards instead of three.
 */
const Grid = chakra('ul', {
  base: {
    display: 'grid',
    gap: '3',
    listStyleType: 'none',
    gridTemplateColumns: { md: 'repeat(3, minmax(0, 1fr))' },
    gridAutoFlow: { base: 'column', md: 'row' },
    gridAutoColumns: { base: 'min(20rem, 84vw)', md: 'auto' },
    overflowX: { base: 'auto', md: 'visible' },
    scrollSnapType: { base: 'x proximity', md: 'none' },
    scrollPaddingInline: '4',
    paddingInline: { base: '4', md: '0' },
    scrollbarWidth: 'none',
  },
  variants: {
    rows: {
      1: {
        gridTemplateColumns: { md: 'repeat(3, minmax(0, 1fr))', xl: 'repeat(4, minmax(0, 1fr))' },
        mdToXl: { '& > li:nth-of-type(n + 4)': { display: 'none' } },
        xl: { '& > li:nth-of-type(n + 5)': { display: 'none' } },
      },
      2: {},
    },
  },
})

/** A column below the cover or, on phones, a row with the bio and the photos below it. */
const Body = chakra('div', {
  base: {
    display: { base: 'grid', md: 'flex' },
    gridTemplateColumns: 'auto minmax(0, 1fr) auto',
    gridTemplateRows: 'auto auto 1fr',
    alignItems: { base: 'center', md: 'stretch' },
    columnGap: '2.5',
    flexDirection: 'column',
    flex: '1',
    padding: '3',
    paddingTop: { md: '0' },
  },
})

const AvatarPlace = chakra(UserCardAvatar, { base: { mdDown: { marginTop: '0', borderWidth: '0' } } })

const Names = chakra('div', { base: { flex: '1', minWidth: '0', marginTop: { md: '1.5' } } })

/** At the bottom of the card, so that the buttons of adjacent cards align. On phones, beside the name. */
const FollowPlace = chakra('div', {
  base: {
    position: 'relative',
    gridArea: { base: '1 / 3', md: 'auto' },
    paddingTop: { md: '3' },
  },
})

type Rows = 1 | 2

/** Shows the featured creators, on wide screens in one row or two, with a link to the list of all users. */
export default function FeaturedCreators({
  title = t`Featured Creators`,
  rows = 1,
}: {
  title?: string
  rows?: Rows
}) {
  return (
    <Box as="section" aria-labelledby="featured-creators" paddingBottom={{ base: '3', md: '6' }}>
      <Box
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        minHeight="target"
        paddingInline={{ base: '4', md: '0' }}
        marginBottom="1"
      >
        <Box as="h2" id="featured-creators" textStyle="title">
          {title}
        </Box>
        <ButtonLink to={paths.creators.getHref()} variant="link" size="sm" paddingInline="0">
          {t`View All Creators`}
        </ButtonLink>
      </Box>
      <CreatorList rows={rows} />
    </Box>
  )
}

function CreatorList({ rows }: { rows: Rows }) {
  const creators = useQuery(featuredQuery(limits.featuredCreators))
  if (creators.data && creators.data.length > 0) {
    return <CreatorGrid creators={creators.data} rows={rows} />
  }
  if (creators.data) {
    return <Message>{t`No featured creators yet. Popular creators will appear here.`}</Message>
  }
  if (creators.isError) {
    return (
      <Message role="alert">
        {t`Couldn't load creators.`}{' '}
        <Button variant="link" size="sm" onClick={() => void creators.refetch()}>
          {t`Try again`}
        </Button>
      </Message>
    )
  }
  return <CreatorSkeletons rows={rows} />
}

/** Omits creators whom the viewer already follows if the others fill a row, and then shows only full rows. */
function CreatorGrid({ creators, rows }: { creators: FeaturedCreator[]; rows: Rows }) {
  // As of the first render: a creator whom the viewer follows after that stays until the viewer leaves the page.
  const [followedIds] = useState(
    () => new Set(creators.flatMap(({ id, following }) => (following ? id : []))),
  )
  const columns = rows === 1 ? 4 : 3
  const others = creators.filter(({ id }) => !followedIds.has(id))
  const isMixed = followedIds.size > 0 && others.length >= columns
  const shown = isMixed ? others.slice(0, others.length - (others.length % columns)) : creators
  return (
    <Grid rows={rows}>
      {shown.map((creator) => (
        <Box as="li" key={creator.id} minWidth="0" scrollSnapAlign="start">
          <CreatorCard creator={creator} />
        </Box>
      ))}
    </Grid>
  )
}

function CreatorCard({ creator }: { creator: FeaturedCreator }) {
  const name = displayName(creator)
  const isWide = useMinWidth('md')
  return (
    <UserCardFrame>
      {isWide && <UserCardCover url={creator.backgroundImageUrl} />}
      <Body>
        <AvatarPlace>
          <Avatar user={{ ...creator, displayName: name }} size={isWide ? 'lg' : 'md'} />
        </AvatarPlace>
        <Names>
          <UserCardName to={paths.profile.getHref(creator.handle)} {...userTextLine}>
            {name}
          </UserCardName>
          {isWide && (
            // Always two lines high.
            <Box
              textStyle="small"
              marginTop="0.5"
              height="2lh"
              lineClamp="2"
              overflowWrap="anywhere"
              {...userTextParagraphs}
            >
              {creator.bio}
            </Box>
          )}
          <Facts creator={creator} />
          {isWide && creator.followedBy && (
            <FollowedBy followedBy={creator.followedBy} isShort marginTop="1.5" textStyle="caption" />
          )}
        </Names>
        {!isWide && (
          // Always one line high.
          <Box
            gridArea="2 / 1 / auto / -1"
            textStyle="small"
            marginTop="2"
            minHeight="1lh"
            truncate
            {...userTextLine}
          >
            {creator.bio}
          </Box>
        )}
        <Photos photos={creator.photos} />
        <FollowPlace>
          <FollowButton user={creator} wording="list" size="sm" width="100%" />
        </FollowPlace>
      </Body>
    </UserCardFrame>
  )
}

/** Shows the number of followers, unless the creator hides it, and the price of a subscription. */
function Facts({ creator: { followersCount, canView } }: { creator: FeaturedCreator }) {
  const followers = followersCount === null ? '' : compactNumber(followersCount)
  const price = monthlyPriceText()
  const facts = [
    followersCount !== null &&
      t`${plural(followersCount, { one: `${followers} follower`, other: `${followers} followers` })}`,
    canView && t`${price}/mo`,
  ].filter(Boolean)
  if (facts.length === 0) return null
  return (
    <Box textStyle="small" marginTop="0.5" color="muted" truncate fontVariantNumeric="tabular-nums">
      {facts.join(' · ')}
    </Box>
  )
}

/** Shows public photos in a row. */
function Photos({ photos }: Pick<FeaturedCreator, 'photos'>) {
  if (photos.length === 0) return null
  return (
    <Box
      aria-hidden
      gridArea={{ base: '3 / 1 / auto / -1', md: 'auto' }}
      display="grid"
      gridTemplateColumns={`repeat(${limits.creatorPhotos}, minmax(0, 1fr))`}
      gap="1"
      marginTop="3"
      borderRadius="md"
      overflow="hidden"
    >
      {photos.map(({ imageUrl, placeholder }) => (
        <chakra.img
          key={imageUrl}
          src={imageUrl}
          alt=""
          loading="lazy"
          decoding="async"
          aspectRatio={{ base: '16 / 9', md: '1' }}
          width="100%"
          objectFit="cover"
          bg="sunken"
          backgroundSize="cover"
          style={placeholder ? { backgroundImage: `url("${placeholder}")` } : undefined}
        />
      ))}
    </Box>
  )
}

const Message = chakra('div', {
  base: { textStyle: 'small', color: 'muted', paddingInline: { base: '4', md: '0' } },
})

const skeletonKeys = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

/** Has the height of the cards, to avoid a layout shift. */
function CreatorSkeletons({ rows }: { rows: Rows }) {
  const isWide = useMinWidth('md')
  return (
    <Loading label={t`Loading people`}>
      <Grid aria-hidden rows={rows}>
        {skeletonKeys.map((key) => (
          <li key={key}>
            <UserCardFrame>
              {isWide && <UserCardCoverSkeleton />}
              <Body>
                <AvatarPlace>
                  <SkeletonCircle size={isWide ? '16' : '11'} />
                </AvatarPlace>
                <Names>
                  <Skeleton height="3.5" width="70%" />
                  <Skeleton height="3" width="50%" marginTop="2.5" />
                  {isWide && (
                    <>
                      <Skeleton height="3" width="80%" marginTop="2" />
                      <Skeleton height="3" width="60%" marginTop="2.5" />
                      <Skeleton height="3" width="40%" marginTop="3" />
                    </>
                  )}
                </Names>
                {!isWide && (
                  <Skeleton
                    gridArea="2 / 1 / auto / -1"
                    height="3"
                    width="80%"
                    marginTop="3"
                    marginBottom="1"
                  />
                )}
                <Skeleton
                  gridArea={{ base: '3 / 1 / auto / -1', md: 'auto' }}
                  height="auto"
                  aspectRatio={{ base: '4', md: '3.1' }}
                  marginTop="3.5"
                  borderRadius="md"
                />
                <FollowPlace>
                  <Skeleton
                    height="9"
                    css={{ '@media (pointer: coarse)': { height: 'target' } }}
                    width={{ base: '20', md: '100%' }}
                    borderRadius="full"
                  />
                </FollowPlace>
              </Body>
            </UserCardFrame>
          </li>
        ))}
      </Grid>
    </Loading>
  )
}
