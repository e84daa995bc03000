import { Box, chakra } from '@chakra-ui/react'
import type { TrendingTag } from '@contract/discover.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { scrollingChips } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { trendingTagsQuery } from '../api/posts'

/**
 * A line that scrolls horizontally. On phones, it extends to the edge of the screen. On wider screens, it ends at the
 * margin of the page and fades out.
 */
const scrollingLine = {
  ...scrollingChips,
  marginInlineEnd: { base: '-4', md: '0' },
  maskImage: { md: scrollingChips.maskImage },
} as const

const List = chakra('ul', {
  base: {
    listStyleType: 'none',
    display: 'flex',
    gap: '2',
    overflowX: 'auto',
    scrollbarWidth: 'none',
    ...scrollingLine,
  },
})

const TopicLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    minWidth: '0',
    minHeight: { base: 'target', md: '9' },
    paddingInline: '4',
    borderRadius: 'full',
    borderWidth: '1px',
    bg: 'surface',
    color: 'muted',
    textStyle: 'caption',
    whiteSpace: 'pre',
    _hover: { bg: 'hover' },
  },
})

/** Shows the trending hashtags as chips. */
export function TrendingTopics() {
  const id = useId()
  return (
    <Box
      as="section"
      aria-labelledby={id}
      display={{ md: 'flex' }}
      columnGap="5"
      paddingInline={{ base: '4', md: '0' }}
      paddingBottom="5"
    >
      <Box
        as="h2"
        id={id}
        textStyle="title"
        marginBottom={{ base: '3', md: '0' }}
        lineHeight={{ md: '{spacing.9}' }}
        flexShrink="0"
      >
        <Trans>Trending Topics</Trans>
      </Box>
      <Box minWidth="0" flex="1">
        <Topics />
      </Box>
    </Box>
  )
}

function Topics() {
  const topics = useQuery(trendingTagsQuery)
  if (topics.data?.length === 0) {
    return (
      <Note>
        <Trans>No trending hashtags yet...</Trans>
      </Note>
    )
  }
  if (topics.data) {
    return (
      <List>
        {/* Sorted by the displayed number of posts. The server sorts by the number of users, which is not shown. */}
        {topics.data
          .toSorted((a, b) => b.posts - a.posts)
          .map((topic) => (
            <Box as="li" key={topic.tag} minWidth="0" flexShrink="0">
              <TopicLink to={paths.topic.getHref(topic.tag)}>
                <TopicText topic={topic} />
              </TopicLink>
            </Box>
          ))}
      </List>
    )
  }
  if (topics.isError) {
    return (
      <Note role="alert">
        <Trans>Couldn't load topics.</Trans>{' '}
        <Button variant="link" size="sm" onClick={() => void topics.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </Note>
    )
  }
  return <TopicSkeletons />
}

/** Shows '#tag • 3 posts'. */
function TopicText({ topic: { tag, posts: count } }: { topic: TrendingTag }) {
  const usage = t`${plural(count, { one: '# post', other: '# posts' })}`
  return (
    <>
      <Box as="bdi" textStyle="label" color="text">
        #{tag}
      </Box>
      {` • ${usage}`}
    </>
  )
}

const Note = chakra('div', { base: { textStyle: 'small', color: 'muted' } })

const skeletonKeys = [...'abcdefghij']

function TopicSkeletons() {
  return (
    <Loading label={t`Loading topics`}>
      <Box display="flex" gap="2" overflow="hidden" {...scrollingLine}>
        {skeletonKeys.map((key) => (
          <Skeleton
            key={key}
            height={{ base: 'target', md: '9' }}
            width="8.5rem"
            flexShrink="0"
            borderRadius="full"
          />
        ))}
      </Box>
    </Loading>
  )
}
