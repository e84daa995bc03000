import { Box, chakra } from '@chakra-ui/react'
import type { TrendingTag } from '@contract/discover.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '@/ui/Button'
import { centerInRow } from '@/ui/center-in-row'
import { scrollingChips } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { trendingTagsQuery } from '../api/posts'

/** A line that scrolls horizontally. It ends at the edge of a phone's screen, or at the margin of a wider page. */
const scrollingLine = { ...scrollingChips, marginInlineEnd: { base: '-4', md: '0' } } as const

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
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    minWidth: '0',
    minHeight: '9',
    // Extends the touch target into the padding of the line.
    _after: { content: '""', position: 'absolute', insetInline: '0', insetBlock: 'calc(-1px - {spacing.1})' },
    paddingInline: '4',
    borderRadius: 'full',
    borderWidth: '1px',
    bg: 'surface',
    color: 'text',
    textStyle: 'caption',
    whiteSpace: 'pre',
    '&:not([aria-current]):hover': { bg: 'hover' },
    '&[aria-current]': { bg: 'inverse', color: 'onInverse', borderColor: 'transparent' },
  },
})

interface TopicsProps {
  /** The hashtag that filters the posts on the page. */
  selected: string | undefined
  /** Returns the URL of the page, filtered by `tag` if given. */
  getHref: (tag?: string) => string
}

/** Shows the trending hashtags as chips that filter the posts on the page. */
export function TrendingTopics(props: TopicsProps) {
  const id = useId()
  return (
    <Box
      as="section"
      aria-labelledby={id}
      // On phones, the chips get a line of their own.
      display={{ base: 'block', md: 'flex' }}
      columnGap="5"
      paddingInline={{ base: '4', md: '0' }}
      paddingBottom="5"
    >
      <Box as="h2" id={id} textStyle="title" lineHeight="{spacing.9}" flexShrink="0">
        <Trans>Trending Topics</Trans>
      </Box>
      <Box minWidth="0" flex="1">
        <Topics {...props} />
      </Box>
    </Box>
  )
}

function Topics({ selected, getHref }: TopicsProps) {
  const topics = useQuery(trendingTagsQuery)
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list appears or another chip is selected
  useLayoutEffect(() => centerInRow(list.current, '[aria-current]'), [selected, topics.data !== undefined])
  if (topics.data?.length === 0 && !selected) {
    return (
      <Note>
        <Trans>No trending hashtags yet...</Trans>
      </Note>
    )
  }
  if (topics.data) {
    return (
      <List ref={list} position="relative">
        <Topic to={getHref()} isSelected={!selected}>
          <Box as="span" textStyle="label">
            <Trans>All</Trans>
          </Box>
        </Topic>
        {selected && !topics.data.some(({ tag }) => tag === selected) && (
          <Topic to={getHref(selected)} isSelected>
            <TagText tag={selected} />
          </Topic>
        )}
        {/* Sorted by the displayed number of posts. The server sorts by the number of users, which is not shown. */}
        {topics.data
          .toSorted((a, b) => b.posts - a.posts)
          .map((topic) => (
            <Topic key={topic.tag} to={getHref(topic.tag)} isSelected={topic.tag === selected}>
              <TopicText topic={topic} isSelected={topic.tag === selected} />
            </Topic>
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

/** A chip that filters the posts, or shows all of them. */
function Topic({ to, isSelected, children }: { to: string; isSelected: boolean; children: ReactNode }) {
  return (
    <Box as="li" minWidth="0" flexShrink="0">
      <TopicLink to={to} preventScrollReset aria-current={isSelected || undefined}>
        {children}
      </TopicLink>
    </Box>
  )
}

const TagText = ({ tag }: { tag: string }) => (
  <Box as="bdi" textStyle="label">
    #{tag}
  </Box>
)

/** Shows '#tag • 3 posts'. */
function TopicText({
  topic: { tag, posts: count },
  isSelected,
}: {
  topic: TrendingTag
  isSelected: boolean
}) {
  const usage = t`${plural(count, { one: '# post', other: '# posts' })}`
  return (
    <>
      <TagText tag={tag} />
      <Box as="span" color={isSelected ? undefined : 'muted'}>
        {` • ${usage}`}
      </Box>
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
          <Skeleton key={key} height="9" width="8.5rem" flexShrink="0" borderRadius="full" />
        ))}
      </Box>
    </Loading>
  )
}
