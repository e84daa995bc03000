import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { errorMessage } from '@/lib/api'
import { ShieldIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'

/** One tab's list, in each of its states. */
export function SafetyList<Item>({
  title,
  text,
  list,
  items,
  empty,
  failed,
  children,
}: {
  title: string
  text: string
  /** Of `useInfiniteQuery`. */
  list: Parameters<typeof ShowMoreButton>[0]['list'] & {
    isPending: boolean
    isRefetchError: boolean
    error: Error | null
    refetch: () => Promise<unknown>
  }
  /** Undefined where none came. */
  items: Item[] | undefined
  empty: { title: string; text: string }
  /** Said when it did not load. */
  failed: string
  children: (item: Item) => ReactNode
}) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id}>
      <Box padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={id} tabIndex={-1} textStyle="title">
          {title}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {text}
        </Box>
      </Box>
      {list.isPending ? (
        <Waiting />
      ) : !items ? (
        <ErrorState message={errorMessage(list.error, failed)} onRetry={() => void list.refetch()} />
      ) : items.length === 0 ? (
        <EmptyState as="h3" drawing={<ShieldIllustration />} {...empty} />
      ) : (
        <>
          {list.isRefetchError && !list.isFetchNextPageError && (
            <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
          )}
          <Box as="ul" listStyleType="none">
            {items.map(children)}
          </Box>
          <ShowMoreButton list={list} />
        </>
      )}
    </Card>
  )
}

function Waiting() {
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
