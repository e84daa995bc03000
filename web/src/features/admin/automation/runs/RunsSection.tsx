import { Box } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { messageOf } from '@/lib/api'
import { StageDrawing } from '@/ui/drawings'
import { Card } from '@/ui/layout'
import { MoreOf } from '@/ui/MoreOf'
import { EmptyState, ErrorState, PartFailed } from '@/ui/states'
import { WaitingRows } from '../../WaitingRows'
import { runsQuery } from '../api/runs'
import { RunRow } from './RunRow'
import { TodayLine } from './TodayLine'

/** Each time that a program wrote in somebody's name, or tried to. */
export function RunsSection() {
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
        <TodayLine />
      </Box>
      <Listed />
    </Card>
  )
}

function Listed() {
  const list = useInfiniteQuery(runsQuery)
  if (list.isPending) return <WaitingRows label="Loading the runs" />
  if (!list.data)
    return (
      <ErrorState
        message={messageOf(list.error, 'The runs did not load.')}
        onRetry={() => void list.refetch()}
      />
    )
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        drawing={<StageDrawing />}
        title="Nothing was written yet"
        text="Auto-posting begins once there is an API key, it is switched on for a creator, and they have agreed."
      />
    )
  }
  return (
    <>
      {list.isRefetchError && !list.isFetchNextPageError && (
        <PartFailed text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      <Box as="ul" listStyleType="none">
        {items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Box>
      <MoreOf list={list} />
    </>
  )
}
