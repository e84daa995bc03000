import { Box, chakra } from '@chakra-ui/react'
import type { MessageSearchResult } from '@contract/message.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { fullTime, timeAgo } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { LoadMore } from '@/ui/LoadMore'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { userTextLine } from '@/ui/user-text-styles'
import { messageSearchQuery } from '../api/message-search'
import { highlightedExcerpt } from './highlighted-excerpt'

const ResultLink = chakra(Link, {
  base: {
    display: 'flex',
    gap: '3',
    paddingInline: '4',
    paddingBlock: '2.5',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})
const Hit = chakra('mark', {
  base: { bg: 'ember.wash', color: 'ember.text', fontWeight: 'semibold', borderRadius: 'xs' },
})

/** The messages that contain `query`, which is not empty. Each leads to its place in its conversation. */
export function MessageSearchResults({ me, query }: { me: string; query: string }) {
  const found = useInfiniteQuery(messageSearchQuery(query))
  const items = found.data?.pages.flatMap((page) => page.items)
  return (
    <Box as="section" aria-label="Messages found" borderTopWidth="1px" paddingTop="3">
      <Box as="h2" textStyle="label" paddingInline="4" paddingBottom="1">
        Messages
      </Box>
      <Box role="status" textStyle="small" color="muted" paddingInline="4">
        {items?.length === 0 && <Box paddingBottom="4">No messages found</Box>}
      </Box>
      {found.isPending && <Waiting />}
      {found.isError && !items && (
        <Box role="alert" paddingInline="4" paddingBottom="4" textStyle="small">
          <Box color="danger.text">The messages did not load.</Box>
          <Button size="sm" variant="link" paddingInline="0" onClick={() => void found.refetch()}>
            Try again
          </Button>
        </Box>
      )}
      {items && items.length > 0 && (
        <>
          <Box as="ul" listStyleType="none">
            {items.map((one) => (
              <li key={one.message.id}>
                <Result found={one} me={me} query={query} />
              </li>
            ))}
          </Box>
          <LoadMore
            more={found.hasNextPage}
            failed={found.isFetchNextPageError}
            loading={found.isFetchingNextPage}
            onMore={() => found.fetchNextPage()}
            label="More messages"
            failedLabel="That did not load. Try again"
          />
        </>
      )}
    </Box>
  )
}

function Result({ found, me, query }: { found: MessageSearchResult; me: string; query: string }) {
  const now = useNow()
  const { message, otherUser, otherUserId } = found
  const name = displayName(otherUser)
  return (
    <ResultLink to={paths.messages.getHref(otherUserId, message.id)} preventScrollReset>
      <Avatar person={{ ...otherUser, displayName: name }} size="sm" />
      <Box flex="1" minWidth="0">
        <Box display="flex" alignItems="baseline" gap="2">
          <Box as="span" textStyle="label" flex="1" minWidth="0" truncate {...userTextLine}>
            {name}
          </Box>
          <Box as="span" textStyle="caption" color="muted" flexShrink={0} title={fullTime(message.createdAt)}>
            {timeAgo(message.createdAt, now)}
          </Box>
        </Box>
        <Box textStyle="small" color="muted" lineClamp="2" overflowWrap="anywhere">
          {message.senderId === me && 'You: '}
          <bdi>
            {highlightedExcerpt(message.content, query).map((part) =>
              part.hit ? <Hit key={part.at}>{part.text}</Hit> : part.text,
            )}
          </bdi>
        </Box>
      </Box>
    </ResultLink>
  )
}

function Waiting() {
  return (
    <Loading label="Searching messages">
      {['70%', '45%'].map((width) => (
        <Box key={width} paddingInline="4" paddingBlock="3">
          <Skeleton height="3.5" width="40%" />
          <Skeleton height="3" width={width} marginTop="2" />
        </Box>
      ))}
    </Loading>
  )
}
