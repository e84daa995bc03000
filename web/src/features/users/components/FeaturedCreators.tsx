import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { monthlyPriceText } from '@/billing/subscriptions'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Button, ButtonLink } from '@/ui/Button'
import { Loading, Skeleton, SkeletonCircle, SkeletonText } from '@/ui/Skeleton'
import { userTextLine, userTextParagraphs } from '@/ui/UserText'
import { featuredQuery } from '../api'
import FollowButton from './FollowButton'
import { UserCardAvatar, UserCardCover, UserCardCoverSkeleton, UserCardFrame, UserCardName } from './UserGrid'

/** The number of cards per row on wide screens. */
const columns = 3

/** Full rows, or one horizontally scrolling row on phones. */
const Grid = chakra('ul', {
  base: {
    display: 'grid',
    gap: '3',
    listStyleType: 'none',
    gridTemplateColumns: { md: `repeat(${columns}, minmax(0, 1fr))` },
    gridAutoFlow: { base: 'column', md: 'row' },
    gridAutoColumns: { base: '10.5rem', md: 'auto' },
    overflowX: { base: 'auto', md: 'visible' },
    scrollSnapType: { base: 'x proximity', md: 'none' },
    scrollPaddingInline: '4',
    paddingInline: { base: '4', md: '0' },
    scrollbarWidth: 'none',
  },
})

const Body = chakra('div', {
  base: { display: 'flex', flexDirection: 'column', flex: '1', padding: '3', paddingTop: '0' },
})

/** Shows the featured creators, with a link to the list of all users. */
export default function FeaturedCreators({ title = t`Featured Creators` }: { title?: string }) {
  return (
    <Box as="section" aria-labelledby="featured-creators" paddingBottom="6">
      <Box
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        minHeight="target"
        paddingInline={{ base: '4', md: '1' }}
        marginBottom="1"
      >
        <Box as="h2" id="featured-creators" textStyle="title">
          {title}
        </Box>
        <ButtonLink to={paths.creators.getHref()} variant="link" size="sm" paddingInline="0">
          {t`View All Creators`}
        </ButtonLink>
      </Box>
      <CreatorList />
    </Box>
  )
}

function CreatorList() {
  const creators = useQuery(featuredQuery(limits.featuredCreators))
  if (creators.data && creators.data.length > 0) return <CreatorGrid creators={creators.data} />
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
  return <CreatorSkeletons />
}

/** Shows creators whom the viewer does not follow, in full rows, or all creators if there are too few for a row. */
function CreatorGrid({ creators }: { creators: User[] }) {
  // As of the first render: a creator whom the viewer follows now stays until the viewer leaves the page.
  const [followedIds] = useState(
    () => new Set(creators.flatMap(({ id, following }) => (following ? id : []))),
  )
  const others = creators.filter(({ id }) => !followedIds.has(id))
  const isMixed = followedIds.size > 0 && others.length >= columns
  const shown = isMixed ? others.slice(0, others.length - (others.length % columns)) : creators
  return (
    <Grid>
      {shown.map((creator) => (
        <Box as="li" key={creator.id} minWidth="0" scrollSnapAlign="start">
          <CreatorCard creator={creator} />
        </Box>
      ))}
    </Grid>
  )
}

function CreatorCard({ creator }: { creator: User }) {
  const name = displayName(creator)
  const price = monthlyPriceText()
  return (
    <UserCardFrame>
      <UserCardCover url={creator.backgroundImageUrl} />
      <Body>
        <UserCardAvatar>
          <Avatar user={{ ...creator, displayName: name }} size="lg" />
        </UserCardAvatar>
        <Box minWidth="0" marginTop="1.5">
          <UserCardName to={paths.profile.getHref(creator.handle)} {...userTextLine}>
            {name}
          </UserCardName>
          <Box textStyle="small" color="muted" truncate>
            <bdi dir="ltr">@{creator.handle}</bdi>
          </Box>
          {/* Two lines high without a bio as well, so that the buttons of a row align. */}
          <Box
            textStyle="small"
            marginTop="1.5"
            height="2lh"
            lineClamp="2"
            overflowWrap="anywhere"
            {...userTextParagraphs}
          >
            {creator.bio}
          </Box>
          <Box textStyle="small" marginTop="1.5" height="1lh" color="muted" fontVariantNumeric="tabular-nums">
            {creator.canView && t`${price} per month`}
          </Box>
        </Box>
        <Box position="relative" marginTop="3">
          <FollowButton user={creator} wording="list" size="sm" width="100%" />
        </Box>
      </Body>
    </UserCardFrame>
  )
}

const Message = chakra('div', {
  base: { textStyle: 'small', color: 'muted', paddingInline: { base: '4', md: '1' } },
})

const skeletonKeys = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

/** Has the height of the cards, to avoid a layout shift. */
function CreatorSkeletons() {
  return (
    <Loading label={t`Loading people`}>
      <Grid aria-hidden>
        {skeletonKeys.map((key) => (
          <li key={key}>
            <UserCardFrame>
              <UserCardCoverSkeleton />
              <Body>
                <UserCardAvatar>
                  <SkeletonCircle size="16" />
                </UserCardAvatar>
                <Skeleton height="3.5" width="70%" marginTop="2.5" />
                <Skeleton height="3" width="50%" marginTop="2.5" />
                <SkeletonText lines={2} marginTop="3" />
                <Skeleton height="3" width="40%" marginTop="3" />
                <Skeleton
                  height="9"
                  css={{ '@media (pointer: coarse)': { height: 'target' } }}
                  width="100%"
                  marginTop="3.5"
                  borderRadius="full"
                />
              </Body>
            </UserCardFrame>
          </li>
        ))}
      </Grid>
    </Loading>
  )
}
