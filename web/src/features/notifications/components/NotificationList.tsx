import { Box } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { Button } from '@/ui/Button'
import { BellIllustration } from '@/ui/illustrations'
import { EmptyState, ErrorState } from '@/ui/states'
import { useNearEnd } from '@/ui/useNearEnd'
import { notificationsQuery } from '../api'
import { useReadNotification } from '../mark-read'
import { NotificationRow } from './NotificationRow'
import { NotificationSkeleton } from './NotificationSkeleton'

/**
 * The notifications, the newest first; older ones come as one scrolls. Mounted, and so fetched, only while it is open.
 * `onLeave` is called when one of them is followed.
 */
export function NotificationList({ onLeave }: { onLeave?: () => void }) {
  const read = useReadNotification()
  const list = useInfiniteQuery({ ...notificationsQuery, refetchOnMount: 'always' })
  const older = list.hasNextPage && !list.isFetchNextPageError
  const mark = useNearEnd<HTMLDivElement>(older && !list.isFetching, () => list.fetchNextPage())
  if (list.isPending) return <NotificationSkeleton label="Loading notifications" />
  if (list.isError && !list.data) {
    return <ErrorState message="Your notifications did not load." onRetry={() => void list.refetch()} />
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        drawing={<BellIllustration />}
        title="No notifications yet"
        text="Likes, comments, new followers and more appear here."
      />
    )
  }
  return (
    <Box position="relative">
      {list.isRefetchError && <Failed text="What is new did not load." onRetry={() => void list.refetch()} />}
      <Box as="ul" listStyleType="none" onKeyDown={walk}>
        {items.map((notification) => (
          <li key={notification.id}>
            <NotificationRow
              notification={notification}
              onRead={() => read.mutate(notification.id)}
              onLeave={onLeave}
            />
          </li>
        ))}
      </Box>
      {/* Reaches up into the list, so that the next page is asked for before its end is in sight. */}
      <Box
        ref={mark}
        aria-hidden
        position="absolute"
        insetInline="0"
        bottom="0"
        height="20rem"
        maxHeight="50%"
        pointerEvents="none"
      />
      {older && <NotificationSkeleton label="Loading older notifications" />}
      {list.isFetchNextPageError && (
        <Failed text="Older notifications did not load." onRetry={() => void list.fetchNextPage()} />
      )}
      {!list.hasNextPage && items.length > 5 && (
        <Box padding="4" textAlign="center" textStyle="small" color="muted">
          You've reached the end!
        </Box>
      )}
    </Box>
  )
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Box
      role="alert"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      gap="2"
      paddingInline="4"
      paddingBlock="2"
      textStyle="small"
    >
      {text}
      <Button size="sm" variant="link" onClick={onRetry}>
        Try again
      </Button>
    </Box>
  )
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** Arrows move from one notification to the next; Tab goes to the buttons between them too. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[href]')]
  const row = event.target instanceof Element ? event.target.closest('li') : null
  const at = links.findIndex((link) => row?.contains(link))
  event.preventDefault()
  links[step(at, links.length - 1)]?.focus()
}
