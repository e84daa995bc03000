import { Box, chakra } from '@chakra-ui/react'
import type { MessageSearchResult } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { compactTimeAgo, fullTime, useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { LoadMore } from '@/ui/LoadMore'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { userTextLine } from '@/ui/UserText'
import { messageSearchQuery } from '../api/conversations'
import { contentPreview } from '../model/post-link'

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
const Highlight = chakra('mark', {
  base: { bg: 'ember.wash', color: 'ember.text', fontWeight: 'semibold', borderRadius: 'xs' },
})

/** Lists the messages that contain the non-empty `query`. Each links to its position in its conversation. */
export function MessageSearchResults({ me, query }: { me: string; query: string }) {
  const search = useInfiniteQuery(messageSearchQuery(query))
  const items = search.data?.pages.flatMap((page) => page.items)
  return (
    <Box as="section" aria-label={t`Messages found`} borderTopWidth="1px" paddingTop="3">
      <Box as="h2" textStyle="label" paddingInline="4" paddingBottom="1">
        {t`Messages`}
      </Box>
      <Box role="status" textStyle="small" color="muted" paddingInline="4">
        {items?.length === 0 && <Box paddingBottom="4">{t`No messages found`}</Box>}
      </Box>
      {search.isPending && <ResultsSkeleton />}
      {search.isError && !items && (
        <Box role="alert" paddingInline="4" paddingBottom="4" textStyle="small">
          <Box color="danger.text">{t`Couldn't load messages. Try again.`}</Box>
          <Button size="sm" variant="link" paddingInline="0" onClick={() => void search.refetch()}>
            {t`Try again`}
          </Button>
        </Box>
      )}
      {items && items.length > 0 && (
        <>
          <Box as="ul" listStyleType="none">
            {items.map((result) => (
              <li key={result.message.id}>
                <ResultRow result={result} me={me} query={query} />
              </li>
            ))}
          </Box>
          <LoadMore
            list={search}
            label={t`Load more messages`}
            failedLabel={t`Couldn't load more messages. Try again`}
          />
        </>
      )}
    </Box>
  )
}

function ResultRow({ result, me, query }: { result: MessageSearchResult; me: string; query: string }) {
  const now = useNow()
  const { message, otherUser, otherUserId } = result
  const name = displayName(otherUser)
  return (
    <ResultLink to={paths.messages.getHref(otherUserId, message.id)} preventScrollReset>
      <Avatar user={{ ...otherUser, displayName: name }} size="sm" />
      <Box flex="1" minWidth="0">
        <Box display="flex" alignItems="baseline" gap="2">
          <Box as="span" textStyle="label" flex="1" minWidth="0" truncate {...userTextLine}>
            {name}
          </Box>
          <Box as="span" textStyle="caption" color="muted" flexShrink={0} title={fullTime(message.createdAt)}>
            {compactTimeAgo(message.createdAt, now)}
          </Box>
        </Box>
        <Box textStyle="small" color="muted" lineClamp="2" overflowWrap="anywhere">
          {message.senderId === me && `${t`You:`} `}
          <bdi>
            {highlightedExcerpt(contentPreview(message.content), query).map((part) =>
              part.isMatch ? <Highlight key={part.index}>{part.text}</Highlight> : part.text,
            )}
          </bdi>
        </Box>
      </Box>
    </ResultLink>
  )
}

function ResultsSkeleton() {
  return (
    <Loading label={t`Searching messages`}>
      {['70%', '45%'].map((width) => (
        <Box key={width} paddingInline="4" paddingBlock="3">
          <Skeleton height="3.5" width="40%" />
          <Skeleton height="3" width={width} marginTop="2" />
        </Box>
      ))}
    </Loading>
  )
}

interface ExcerptPart {
  /** The index of the part in the text; -1 for the leading ellipsis. */
  index: number
  text: string
  isMatch: boolean
}

/** The maximum number of characters that an excerpt shows before the first match. */
const maxLead = 24

/**
 * Splits a text into the parts that match `query` and the parts between them. The excerpt starts shortly before the
 * first match. Like the server's search, ignores case and accents. Without a match, returns the whole text.
 */
export function highlightedExcerpt(text: string, query: string): ExcerptPart[] {
  const { folded, indexes } = foldText(text)
  const foldedQuery = foldText(query.trim()).folded
  const matches: [number, number][] = []
  for (
    let at = folded.indexOf(foldedQuery);
    foldedQuery && at >= 0;
    at = folded.indexOf(foldedQuery, at + foldedQuery.length)
  ) {
    matches.push([indexes[at] ?? 0, indexes[at + foldedQuery.length] ?? text.length])
  }
  let position = excerptStart(text, matches[0]?.[0] ?? 0)
  const parts: ExcerptPart[] = position > 0 ? [{ index: -1, text: '…', isMatch: false }] : []
  const addPart = (end: number, isMatch: boolean) => {
    if (end > position) parts.push({ index: position, text: text.slice(position, end), isMatch })
    position = Math.max(position, end)
  }
  for (const [start, end] of matches) {
    addPart(start, false)
    addPart(end, true)
  }
  addPart(text.length, false)
  return parts
}

/** Returns the index where the excerpt starts: at a word before the match, if one is near. */
function excerptStart(text: string, matchStart: number): number {
  if (matchStart <= maxLead) return 0
  const space = text.slice(matchStart - maxLead, matchStart).search(/\s\S/)
  return space < 0 ? matchStart : matchStart - maxLead + space + 1
}

/** Returns the text in lowercase without accents, and the index of each of its characters in the original text. */
function foldText(text: string): { folded: string; indexes: number[] } {
  let folded = ''
  const indexes: number[] = []
  let index = 0
  for (const character of text) {
    const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    folded += plain
    for (let unit = 0; unit < plain.length; unit += 1) indexes.push(index)
    index += character.length
  }
  return { folded, indexes: [...indexes, index] }
}
