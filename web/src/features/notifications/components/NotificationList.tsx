import { Box, chakra } from '@chakra-ui/react'
import type { NotificationFilter } from '@contract/notification.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId } from 'react'
import { useNow } from '@/lib/time'
import { Button } from '@/ui/Button'
import { BellIllustration } from '@/ui/illustrations'
import { useNearEnd } from '@/ui/LoadMore'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { notificationsQuery, useReadNotification } from '../api'
import { groupBySection, type Section } from '../sections'
import { type NotificationActions, NotificationRow } from './NotificationRow'

const sectionTitles: Record<Section, MessageDescriptor> = {
  today: msg`Today`,
  week: msg`This week`,
  earlier: msg`Earlier`,
}

const emptyStates: Record<NotificationFilter | 'all', { title: MessageDescriptor; text: MessageDescriptor }> =
  {
    all: {
      title: msg`No notifications yet`,
      text: msg`Likes, comments and new followers will appear here.`,
    },
    comments: {
      title: msg`No comments yet`,
      text: msg`Comments on your posts and replies to your comments will appear here.`,
    },
    mentions: {
      title: msg`No mentions yet`,
      text: msg`Posts and comments that mention you will appear here.`,
    },
    likes: {
      title: msg`No likes yet`,
      text: msg`Likes and reposts of your posts, likes on your comments, and reactions to your messages will appear here.`,
    },
    followers: {
      title: msg`No followers yet`,
      text: msg`New followers and follow requests will appear here.`,
    },
    payments: {
      title: msg`No payments yet`,
      text: msg`Subscribers, tips, unlocked posts and photos, and payouts will appear here.`,
    },
  }

const SectionTitle = chakra('h2', {
  base: {
    textStyle: 'label',
    color: 'muted',
    paddingInlineStart: '4',
    paddingTop: '4',
    paddingBottom: '1',
  },
})

/**
 * Shows the notifications in sections by age. Loads older ones on scroll. Refetches the list on mount.
 *
 * @param filter selects the notifications to list; undefined for all
 * @param onNavigate called when the user opens a notification in this tab
 */
export function NotificationList({
  filter,
  actions,
  onNavigate,
}: {
  filter?: NotificationFilter
  actions: NotificationActions
  onNavigate?: () => void
}) {
  const id = useId()
  const now = useNow()
  const readNotification = useReadNotification()
  const list = useInfiniteQuery({ ...notificationsQuery(filter), refetchOnMount: 'always' })
  const canLoadMore = list.hasNextPage && !list.isFetchNextPageError
  const endRef = useNearEnd<HTMLDivElement>(canLoadMore && !list.isFetching, () => list.fetchNextPage())
  if (list.isPending) return <NotificationSkeleton label={t`Loading notifications`} />
  if (list.isError && !list.data) {
    return (
      <ErrorState message={t`Couldn't load notifications. Try again.`} onRetry={() => void list.refetch()} />
    )
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    const { title, text } = emptyStates[filter ?? 'all']
    return (
      <Box role="status">
        <EmptyState illustration={<BellIllustration />} title={t(title)} text={t(text)} />
      </Box>
    )
  }
  return (
    <Box position="relative">
      {list.isRefetchError && (
        <RetryNotice
          text={t`Couldn't refresh. Showing the last results.`}
          onRetry={() => void list.refetch()}
        />
      )}
      <Box onKeyDown={moveFocusByKey}>
        {groupBySection(items, now).map(({ section, items }) => (
          <section key={section} aria-labelledby={`${id}-${section}`}>
            <SectionTitle id={`${id}-${section}`}>{t(sectionTitles[section])}</SectionTitle>
            <Box as="ul" listStyleType="none">
              {items.map((notification) => (
                <li key={notification.id}>
                  <NotificationRow
                    notification={notification}
                    actions={actions}
                    onRead={() => readNotification.mutate(notification.id)}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
            </Box>
          </section>
        ))}
      </Box>
      {/* Extends upward into the list, so that the next page loads before the end is visible. */}
      <Box
        ref={endRef}
        aria-hidden
        position="absolute"
        insetInline="0"
        bottom="0"
        height="20rem"
        maxHeight="50%"
        pointerEvents="none"
      />
      {canLoadMore && <NotificationSkeleton label={t`Loading older notifications`} />}
      {list.isFetchNextPageError && (
        <RetryNotice
          text={t`Couldn't load older notifications. Try again.`}
          onRetry={() => void list.fetchNextPage()}
        />
      )}
      {!list.hasNextPage && items.length > 5 && (
        <Box padding="4" textAlign="center" textStyle="small" color="muted">
          {t`You've reached the end!`}
        </Box>
      )}
    </Box>
  )
}

function RetryNotice({ text, onRetry }: { text: string; onRetry: () => void }) {
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
        {t`Try again`}
      </Button>
    </Box>
  )
}

const targetIndexByKey: Record<string, (index: number, lastIndex: number) => number> = {
  ArrowDown: (index, lastIndex) => Math.min(index + 1, lastIndex),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, lastIndex) => lastIndex,
}

/** Arrow keys, Home and End move the focus between notifications. Tab also reaches the buttons in between. */
function moveFocusByKey(event: KeyboardEvent<HTMLElement>): void {
  const targetIndex = targetIndexByKey[event.key]
  if (!targetIndex || event.altKey || event.ctrlKey || event.metaKey) return
  const { target } = event
  if (!(target instanceof Element) || target.matches('textarea')) return
  const rows = [...event.currentTarget.querySelectorAll('li')]
  const index = rows.findIndex((row) => row.contains(target))
  event.preventDefault()
  rows[targetIndex(index, rows.length - 1)]?.querySelector<HTMLElement>('a[href]')?.focus()
}

function NotificationSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      {['65%', '50%', '72%'].map((width) => (
        <Box key={width} display="flex" gap="3" paddingInline="4" paddingBlock="2.5">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width={width} marginTop="1" />
            <Skeleton height="3" width="40%" marginTop="2" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}
