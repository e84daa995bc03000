import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { errorMessage } from '@/lib/errors'
import { ShieldIllustration } from '@/ui/illustrations'
import { type PagedList, ShowMoreButton } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'

/** Shows a tab's list on the Safety page, or its loading, error or empty state. */
export function SafetyList<Item>({
  title,
  text,
  list,
  items,
  empty,
  errorText,
  children,
}: {
  title: string
  text: string
  list: PagedList & {
    isPending: boolean
    isRefetchError: boolean
    error: Error | null
    refetch: () => Promise<unknown>
  }
  /** Undefined until the first page has loaded. */
  items: Item[] | undefined
  empty: { title: string; text: string }
  /** Shown if the first page fails to load. */
  errorText: string
  children: (item: Item) => ReactNode
}) {
  const headingId = useId()
  return (
    <Card as="section" aria-labelledby={headingId}>
      <Box padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={headingId} tabIndex={-1} textStyle="title">
          {title}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {text}
        </Box>
      </Box>
      {list.isPending ? (
        <ListSkeleton />
      ) : !items ? (
        <ErrorState message={errorMessage(list.error, errorText)} onRetry={() => void list.refetch()} />
      ) : items.length === 0 ? (
        <EmptyState as="h3" illustration={<ShieldIllustration />} {...empty} />
      ) : (
        <>
          <RefreshError query={list} />
          <Box as="ul" listStyleType="none">
            {items.map(children)}
          </Box>
          <ShowMoreButton list={list} />
        </>
      )}
    </Card>
  )
}

function ListSkeleton() {
  return (
    <Loading>
      {['first', 'second', 'third'].map((row) => (
        <Box key={row} padding={{ base: '4', md: '5' }} borderTopWidth="1px">
          <Skeleton height="4" width="45%" />
          <SkeletonText lines={2} marginTop="3" />
        </Box>
      ))}
    </Loading>
  )
}
