import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { FilterChips } from '@/ui/FilterChips'
import { StageIllustration } from '@/ui/illustrations'
import { TextLink } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { userTextLine } from '@/ui/UserText'
import { featuredQuery, topicAuthorsQuery } from '../api'
import FollowButton from './FollowButton'

/** The value of the chip for popular creators on any topic. It cannot equal a topic, because no topic is empty. */
const popular = ''

/**
 * Suggests people to follow: popular creators, and people who post about a topic.
 *
 * @param topics the topics to choose from, without `#`
 */
export function PeopleSuggestions({ topics }: { topics: readonly string[] }) {
  const [topic, setTopic] = useState(popular)
  const creators = useQuery({ ...featuredQuery(limits.featuredCreators), enabled: topic === popular })
  const authors = useQuery({ ...topicAuthorsQuery(topic), enabled: topic !== popular })
  const people = topic === popular ? creators : authors
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
      {topics.length > 0 && (
        <FilterChips
          label={t`Topics`}
          options={[
            { value: popular, label: t`Popular` },
            ...topics.map((tag) => ({ value: tag, label: <bdi>#{tag}</bdi> })),
          ]}
          value={topic}
          onChange={setTopic}
        />
      )}
      {people.data ? (
        <People people={people.data} isTopic={topic !== popular} />
      ) : people.isError ? (
        <ErrorState message={t`Couldn't load people. Try again.`} onRetry={() => void people.refetch()} />
      ) : (
        <PeopleSkeleton />
      )}
    </Box>
  )
}

function People({ people, isTopic }: { people: User[]; isTopic: boolean }) {
  if (people.length === 0) {
    return isTopic ? (
      <EmptyState
        as="h3"
        title={t`Nobody to suggest for this topic yet`}
        text={t`Choose another topic, or continue.`}
      />
    ) : (
      <EmptyState
        as="h3"
        illustration={<StageIllustration />}
        title={t`Nobody to suggest yet`}
        text={t`Once people share posts here, you’ll find them on Discover.`}
      />
    )
  }
  return (
    <Box
      as="ul"
      listStyleType="none"
      aria-label={t`Suggested people`}
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', xl: 'repeat(2, minmax(0, 1fr))' }}
      columnGap="10"
    >
      {people.map((user) => (
        <PersonRow key={user.id} user={user} />
      ))}
    </Box>
  )
}

function PersonRow({ user }: { user: User }) {
  const name = displayName(user)
  return (
    <Box as="li" display="flex" alignItems="center" gap="3" paddingBlock="2.5">
      <Avatar user={{ ...user, displayName: name }} />
      <Box flex="1" minWidth="0">
        {/* Opens in a new tab, so that the welcome steps, which show the suggestions, stay open. */}
        <TextLink
          to={paths.profile.getHref(user.handle)}
          target="_blank"
          textStyle="label"
          color="text"
          display="block"
          truncate
          {...userTextLine}
        >
          {name}
        </TextLink>
        <Box textStyle="small" color="muted" truncate {...userTextLine}>
          {user.bio || <bdi dir="ltr">@{user.handle}</bdi>}
        </Box>
      </Box>
      <FollowButton user={user} wording="list" size="sm" />
    </Box>
  )
}

function PeopleSkeleton() {
  return (
    <Loading label={t`Loading people`}>
      {['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((row) => (
        <Box key={row} display="flex" alignItems="center" gap="3" paddingBlock="2.5">
          <SkeletonCircle size="10" />
          <Box flex="1">
            <Skeleton height="3.5" width="40%" />
            <Skeleton height="3" width="70%" marginTop="2" />
          </Box>
          <Skeleton height="9" width="5.5rem" borderRadius="full" />
        </Box>
      ))}
    </Loading>
  )
}
