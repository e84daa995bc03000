import { Box } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { errorMessage } from '@/lib/api'
import { StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { UserRowsSkeleton } from '../../components/UserRowsSkeleton'
import { runsQuery } from '../runs-api'
import { RunRow } from './RunRow'
import { TodayUsage } from './TodayUsage'

/** Each time that a program wrote in somebody's name, or tried to. */
export function RunList() {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={id} textStyle="title">
          Auto-posts
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          Each time that a program wrote in a creator’s name, or tried to. What was asked and answered is kept
          for 90 days.
        </Box>
        <TodayUsage />
      </Box>
      <Listed />
    </Card>
  )
}

function Listed() {
  const list = useInfiniteQuery(runsQuery)
  if (list.isPending) return <UserRowsSkeleton label="Loading the runs" />
  if (!list.data)
    return (
      <ErrorState
        message={errorMessage(list.error, 'The runs did not load.')}
        onRetry={() => void list.refetch()}
      />
    )
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        drawing={<StageIllustration />}
        title="Nothing was written yet"
        text="Auto-posting begins once there is an API key, it is switched on for a creator, and they have agreed."
      />
    )
  }
  return (
    <>
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      <Box as="ul" listStyleType="none">
        {items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}
