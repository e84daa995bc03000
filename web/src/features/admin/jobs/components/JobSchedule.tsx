import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useId } from 'react'
import { errorMessage } from '@/lib/api'
import { ClockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { jobsQuery } from '../api'
import { JobRow } from './JobRow'

/** What runs by itself: each job with its last turn and its next. */
export function JobSchedule({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box padding={{ base: '4', md: '5' }}>
        <Box
          as="h2"
          id={id}
          ref={heading}
          tabIndex={-1}
          textStyle="title"
          // Not under the bar at the top.
          scrollMarginTop="calc({sizes.header} + {spacing.4})"
        >
          Schedule
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          What runs by itself. A job that is late or fails is tried again at its next turn.
        </Box>
      </Box>
      <Listed />
    </Card>
  )
}

function Listed() {
  const { data, error, isPending, isRefetchError, refetch } = useQuery(jobsQuery)
  if (isPending) return <Waiting />
  if (!data)
    return (
      <ErrorState
        message={errorMessage(error, 'The schedule did not load.')}
        onRetry={() => void refetch()}
      />
    )
  if (data.length === 0) {
    return (
      <EmptyState
        as="h3"
        drawing={
          <Box display="grid" placeItems="center" fontSize="5xl" color="muted">
            <ClockIcon />
          </Box>
        }
        title="No job has run yet"
        text="Where nothing calls the jobs, as a timer or pg_cron does, nothing happens by itself."
      />
    )
  }
  return (
    <>
      {isRefetchError && <InlineError text="What is new did not load." onRetry={() => void refetch()} />}
      <Box
        as="ul"
        listStyleType="none"
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
      >
        {data.map((job) => (
          <JobRow key={job.name} job={job} />
        ))}
      </Box>
    </>
  )
}

function Waiting() {
  return (
    <Loading label="Loading the schedule">
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Box key={row} padding="5" borderTopWidth="1px">
          <Skeleton height="3.5" width="25%" />
          <Skeleton height="3" width="65%" marginTop="2" />
        </Box>
      ))}
    </Loading>
  )
}
