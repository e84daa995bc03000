import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from './Button'
import { InlineError } from './states'

/** The state of a paginated list, such as the result of `useInfiniteQuery`. */
export interface PagedList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/**
 * Shows the end of a paginated list. Loads the next page when the viewport comes near the end or, if `manual`, only
 * when the button is pressed. The button also serves users who do not scroll, and retries a page that failed to load.
 */
export function LoadMore({
  list,
  loading = list.isFetchingNextPage,
  label,
  failedLabel,
  manual = false,
  endMessage,
}: {
  list: PagedList
  /** Set if the list is also busy after the next page has been fetched. */
  loading?: boolean
  label: string
  failedLabel: string
  manual?: boolean
  /** Shown when all pages are loaded. */
  endMessage?: ReactNode
}) {
  const { hasNextPage, isFetchNextPageError: failed, fetchNextPage } = list
  const ref = useNearEnd<HTMLDivElement>(hasNextPage && !failed && !loading && !manual, fetchNextPage)
  if (!hasNextPage && !endMessage) return null
  return (
    <Box ref={ref} paddingBlock="8" textAlign="center" color="muted" textStyle="small">
      {hasNextPage ? (
        <Button variant="outline" pending={loading} onClick={() => void fetchNextPage()}>
          {failed ? failedLabel : label}
        </Button>
      ) : (
        endMessage
      )}
    </Box>
  )
}

/** Shows the end of a list in a card: a button that loads the next page, or an error with a retry button. */
export function ShowMoreButton({ list }: { list: PagedList }) {
  const loadMore = () => void list.fetchNextPage()
  if (list.isFetchNextPageError)
    return <InlineError text={t`Couldn't load more. Try again.`} onRetry={loadMore} />
  if (!list.hasNextPage) return null
  return (
    <Box padding="3" borderTopWidth="1px">
      <Button variant="ghost" width="100%" pending={list.isFetchingNextPage} onClick={loadMore}>
        {t`Show more`}
      </Button>
    </Box>
  )
}

/**
 * Calls `onNearEnd` when the element that gets the returned ref is within 300 px of the viewport's lower edge, while
 * `enabled`. Calls it again when `enabled` becomes true again and the element is still near.
 */
export function useNearEnd<T extends HTMLElement>(
  enabled: boolean,
  onNearEnd: () => unknown,
): RefObject<T | null> {
  const ref = useRef<T>(null)
  const reportNearEnd = useEffectEvent(onNearEnd)
  useEffect(() => {
    if (!enabled || !ref.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void reportNearEnd(),
      { rootMargin: '300px' },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [enabled])
  return ref
}
