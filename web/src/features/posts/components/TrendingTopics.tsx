import { Box, chakra } from '@chakra-ui/react'
import type { TrendingTag } from '@contract/discover.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { trendingTagsQuery } from '../api/topics'

const List = chakra('ul', {
  base: { listStyleType: 'none' },
  variants: {
    /** `chips` are one line that scrolls sideways on a phone, and some lines where there is room. */
    shape: {
      rows: { marginInline: '-2' },
      chips: {
        display: 'flex',
        gap: '2',
        flexWrap: { base: 'nowrap', md: 'wrap' },
        overflowX: { base: 'auto', md: 'visible' },
        // To the edges of the screen, and the focus ring of a chip is not cut off.
        paddingInline: { base: '4', md: '1' },
        marginInline: { base: '-4', md: '-1' },
        paddingBlock: '1',
        marginBlock: '-1',
        scrollbarWidth: 'none',
      },
    },
  },
})

const Topic = chakra(Link, {
  base: { display: 'block', minWidth: '0', color: 'muted', textStyle: 'small', _hover: { bg: 'hover' } },
  variants: {
    shape: {
      rows: { paddingInline: '2', paddingBlock: '2.5', borderRadius: 'sm', truncate: true },
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

type Shape = 'rows' | 'chips'

/** The hashtags of these days: as rows beside a column, as chips in it. */
export function TrendingTopics({ as }: { as: Shape }) {
  const id = useId()
  const heading = (
    <Box as="h2" id={id} textStyle="title" marginBottom={as === 'rows' ? '2' : '3'}>
      Trending Topics
    </Box>
  )
  if (as === 'rows') {
    return (
      <Card as="section" aria-labelledby={id} padding="4">
        {heading}
        <Topics as={as} />
      </Card>
    )
  }
  return (
    <Box as="section" aria-labelledby={id} paddingInline={{ base: '4', md: '1' }} paddingBottom="5">
      {heading}
      <Topics as={as} />
    </Box>
  )
}

function Topics({ as }: { as: Shape }) {
  const topics = useQuery(trendingTagsQuery)
  if (topics.data?.length === 0) return <Note>No trending hashtags yet...</Note>
  if (topics.data) {
    return (
      <List shape={as}>
        {topics.data.map((topic) => (
          <Box as="li" key={topic.tag} minWidth="0" flexShrink="0">
            <Topic shape={as} to={paths.topic.getHref(topic.tag)}>
              <Words topic={topic} />
            </Topic>
          </Box>
        ))}
      </List>
    )
  }
  if (topics.isError) {
    return (
      <Note role="alert">
        The topics did not load.{' '}
        <Button variant="link" size="sm" onClick={() => void topics.refetch()}>
          Try again
        </Button>
      </Note>
    )
  }
  return <TopicSkeletons as={as} />
}

/** '#tag • 3 posts by 2 people': the people are what topics rank by. */
function Words({ topic: { tag, posts, people } }: { topic: TrendingTag }) {
  return (
    <>
      <Box as="bdi" textStyle="label" color="text">
        #{tag}
      </Box>
      {` • ${posts} ${posts === 1 ? 'post' : 'posts'} by ${people} ${people === 1 ? 'person' : 'people'}`}
    </>
  )
}

const Note = chakra('div', { base: { textStyle: 'small', color: 'muted' } })

const widths = ['70%', '45%', '60%', '50%', '65%', '55%', '75%', '40%', '62%', '48%']

function TopicSkeletons({ as }: { as: Shape }) {
  if (as === 'rows') {
    return (
      <Loading label="Loading topics">
        {widths.map((width) => (
          <Skeleton key={width} height="4" width={width} marginBlock="4" />
        ))}
      </Loading>
    )
  }
  return (
    <Loading label="Loading topics">
      <Box display="flex" flexWrap={{ base: 'nowrap', md: 'wrap' }} gap="2" overflow="hidden">
        {widths.map((width) => (
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
