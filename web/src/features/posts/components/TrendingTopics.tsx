import { Box, chakra } from '@chakra-ui/react'
import type { TrendingTag } from '@contract/discover.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Card, scrollingChips } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { trendingTagsQuery } from '../api/posts'

const List = chakra('ul', {
  base: { listStyleType: 'none' },
  variants: {
    /** `chips` are on a single line that scrolls horizontally and fades out on a phone, and wrap on wider screens. */
    variant: {
      rows: { marginInline: '-2' },
      chips: {
        display: 'flex',
        gap: '2',
        flexWrap: { base: 'nowrap', md: 'wrap' },
        overflowX: { base: 'auto', md: 'visible' },
        scrollbarWidth: 'none',
        mdDown: scrollingChips,
      },
    },
  },
})

const TopicLink = chakra(Link, {
  base: { display: 'block', minWidth: '0', color: 'muted', textStyle: 'small', _hover: { bg: 'hover' } },
  variants: {
    variant: {
      rows: {
        display: 'flex',
        paddingInline: '2',
        paddingBlock: '2.5',
        borderRadius: 'sm',
        whiteSpace: 'pre',
        '& > bdi': { overflow: 'hidden', textOverflow: 'ellipsis' },
      },
      chips: {
        display: 'flex',
        alignItems: 'center',
        minHeight: { base: 'target', md: '9' },
        paddingInline: '4',
        borderRadius: 'full',
        borderWidth: '1px',
        bg: 'surface',
        whiteSpace: 'pre',
      },
    },
  },
})

type Variant = 'rows' | 'chips'

/** Shows the trending hashtags: as rows in a sidebar, or as chips in the main column. */
export function TrendingTopics({ variant }: { variant: Variant }) {
  const id = useId()
  const heading = (
    <Box as="h2" id={id} textStyle="title" marginBottom={variant === 'rows' ? '2' : '3'}>
      <Trans>Trending Topics</Trans>
    </Box>
  )
  if (variant === 'rows') {
    return (
      <Card as="section" aria-labelledby={id} padding="4">
        {heading}
        <Topics variant={variant} />
      </Card>
    )
  }
  return (
    <Box as="section" aria-labelledby={id} paddingInline={{ base: '4', md: '0' }} paddingBottom="5">
      {heading}
      <Topics variant={variant} />
    </Box>
  )
}

function Topics({ variant }: { variant: Variant }) {
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
      <List variant={variant}>
        {/* Sorted by the displayed number of posts. The server sorts by the number of users, which is not shown. */}
        {topics.data
          .toSorted((a, b) => b.posts - a.posts)
          .map((topic) => (
            <Box as="li" key={topic.tag} minWidth="0" flexShrink="0">
              <TopicLink variant={variant} to={paths.topic.getHref(topic.tag)}>
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
  return <TopicSkeletons variant={variant} />
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

const skeletonWidths = ['70%', '45%', '60%', '50%', '65%', '55%', '75%', '40%', '62%', '48%']

function TopicSkeletons({ variant }: { variant: Variant }) {
  if (variant === 'rows') {
    return (
      <Loading label={t`Loading topics`}>
        {skeletonWidths.map((width) => (
          <Skeleton key={width} height="4" width={width} marginBlock="4" />
        ))}
      </Loading>
    )
  }
  return (
    <Loading label={t`Loading topics`}>
      <Box
        display="flex"
        flexWrap={{ base: 'nowrap', md: 'wrap' }}
        gap="2"
        overflow="hidden"
        mdDown={scrollingChips}
      >
        {skeletonWidths.map((width) => (
          <Skeleton
            key={width}
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
