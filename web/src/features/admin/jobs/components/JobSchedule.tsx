import { Box } from '@chakra-ui/react'
import type { JobStatus } from '@contract/admin.ts'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type RefObject, useId } from 'react'
import { errorMessage } from '@/lib/api'
import { fullTime, timeAgo, timeUntil, useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { AlertIcon, ClockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { jobsQuery } from '../api'

/** Shows the scheduled jobs with their last and next runs. */
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
          // Stays clear of the header when it scrolls into view.
          scrollMarginTop="calc({sizes.header} + {spacing.4})"
        >
          Schedule
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          What runs by itself. A job that is late or fails is tried again at its next turn.
        </Box>
      </Box>
      <JobList />
    </Card>
  )
}

function JobList() {
  const { data, error, isPending, isRefetchError, refetch } = useQuery(jobsQuery)
  if (isPending) return <JobListSkeleton />
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
        illustration={
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

function JobListSkeleton() {
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

/** Shows a job: its purpose, the result of its last run and the time of the next one. */
function JobRow({ job }: { job: JobStatus }) {
  const now = useNow()
  const { lastStartedAt, nextAt, outcome, failures } = job
  const failed = outcome === 'failed'
  return (
    <Box
      as="li"
      display="flex"
      alignItems="flex-start"
      justifyContent="space-between"
      gap="4"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
    >
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">{formatJobName(job.name)}</Box>
        <Box textStyle="small">{job.purpose}</Box>
        <Box textStyle="small" color="muted">
          {formatInterval(job.every)[0]?.toUpperCase()}
          {formatInterval(job.every).slice(1)} ·{' '}
          {lastStartedAt ? (
            <>
              last{' '}
              <time dateTime={lastStartedAt} title={fullTime(lastStartedAt)}>
                {timeAgo(lastStartedAt, now)}
              </time>
            </>
          ) : (
            'has not run yet'
          )}
          {nextAt && (
            <>
              {' '}
              · next{' '}
              <time dateTime={nextAt} title={fullTime(nextAt)}>
                {timeUntil(nextAt, now)}
              </time>
            </>
          )}
        </Box>
        {job.detail && (
          <Box textStyle="small" color={failed ? 'danger.text' : 'muted'}>
            {job.detail}
            {failures > 1 && ` (failed ${failures} times in a row)`}
          </Box>
        )}
      </Box>
      <Box display="flex" flexDirection="column" alignItems="flex-end" gap="1.5">
        {jobBadges(job).map(([label, tone]) => (
          <Badge key={label} tone={tone}>
            {label}
          </Badge>
        ))}
      </Box>
    </Box>
  )
}

type BadgeTone = ComponentProps<typeof Badge>['tone']

function jobBadges({ running, outcome, late }: JobStatus): [label: string, tone: BadgeTone][] {
  const badges: [string, BadgeTone][] = []
  if (late) badges.push(['Late', 'danger'])
  if (running) badges.push(['Running', 'ember'])
  else if (outcome === 'done') badges.push(['Done', 'success'])
  else if (outcome === 'failed') badges.push(['Failed', 'danger'])
  else if (!late) badges.push(['Not yet', 'neutral'])
  return badges
}

/** Shows which jobs are late or failing, with a button that moves to the schedule. */
export function FailingJobsAlert({ onShowSchedule }: { onShowSchedule: () => void }) {
  const { data } = useQuery(jobsQuery)
  const failingJobs = data?.filter(({ late, outcome }) => late || outcome === 'failed') ?? []
  if (failingJobs.length === 0) return null
  const names = failingJobs.map(({ name }) => formatJobName(name)).join(', ')
  return (
    <Box
      role="alert"
      display="flex"
      alignItems="center"
      gap="2.5"
      padding="3.5"
      marginInline={{ base: '2', md: '0' }}
      bg="danger.wash"
      color="danger.text"
      borderRadius="md"
      textStyle="small"
    >
      <Box as="span" fontSize="lg" flexShrink={0}>
        <AlertIcon />
      </Box>
      <Box as="span" flex="1" minWidth="0">
        {failingJobs.length === 1 ? 'A job is late or fails' : `${failingJobs.length} jobs are late or fail`}:{' '}
        {names}.
      </Box>
      <Button variant="outline" size="sm" onClick={onShowSchedule}>
        Show schedule
      </Button>
    </Box>
  )
}

/** Formats 7200 as 'every 2 hours' and 300 as 'every 5 minutes'. */
function formatInterval(seconds: number): string {
  const [unitSeconds, name] = timeUnits.find(([unit]) => seconds >= unit && seconds % unit === 0) ?? [
    1,
    'second',
  ]
  const count = Math.round(seconds / unitSeconds)
  return count === 1 ? `every ${name}` : `every ${count.toLocaleString('en-US')} ${name}s`
}

const timeUnits: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** Formats 'clean-up' as 'Clean up'. */
const formatJobName = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ')
