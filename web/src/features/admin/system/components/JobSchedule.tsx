import { Box } from '@chakra-ui/react'
import type { JobStatus } from '@contract/admin.ts'
import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { errorMessage, translateServerText } from '@/lib/errors'
import { numberFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { fullTime, timeAgo, timeUntil, useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { ButtonLink } from '@/ui/Button'
import { AlertIcon, ClockIcon } from '@/ui/icons'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { Section } from '../../components/Section'
import { isFailing, jobsQuery } from '../api'

/** Shows the scheduled jobs with their last and next runs. */
export function JobSchedule() {
  return (
    <Section
      title={t`Schedule`}
      text={
        <Trans>
          Jobs that run automatically. A job that keeps failing runs less often until it succeeds.
        </Trans>
      }
      flush
    >
      <JobList />
    </Section>
  )
}

function JobList() {
  const jobs = useQuery(jobsQuery)
  const { data, error, refetch } = jobs
  if (jobs.isPending) return <JobListSkeleton />
  if (!data)
    return (
      <ErrorState
        message={errorMessage(error, t`Couldn't load the schedule. Try again.`)}
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
        title={t`No jobs have run yet`}
        text={t`Nothing runs until a timer or pg_cron calls the jobs endpoint.`}
      />
    )
  }
  return (
    <>
      <RefreshError query={jobs} />
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
    <Loading label={t`Loading schedule`}>
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
  const { outcome, failures } = job
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
        {/* Not translated: the logs and the operator's guide use this name. */}
        <Box as="code" translate="no" fontFamily="mono" textStyle="label">
          {job.name}
        </Box>
        <Box textStyle="small">{translateServerText(job.purpose)}</Box>
        <Box textStyle="small" color="muted">
          <JobTimes job={job} />
        </Box>
        {job.detail && (
          <Box textStyle="small" color={failed ? 'danger.text' : 'muted'}>
            {translateServerText(job.detail)}
            {failures > 1 &&
              ` · ${t`${plural(failures, { one: '# failure in a row', other: '# failures in a row' })}`}`}
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

/** Shows how often a job runs, when it last ran and for how long, and when it runs next. */
function JobTimes({ job: { every, lastStartedAt, lastSeconds, nextAt } }: { job: JobStatus }) {
  const now = useNow()
  const lastRun = lastStartedAt && (
    <time dateTime={lastStartedAt} title={fullTime(lastStartedAt)}>
      {timeAgo(lastStartedAt, now)}
    </time>
  )
  const nextRun = nextAt && (
    <time dateTime={nextAt} title={fullTime(nextAt)}>
      {timeUntil(nextAt, now)}
    </time>
  )
  return (
    <>
      {formatInterval(every)} · {lastRun ? <Trans>last run {lastRun}</Trans> : t`not run yet`}
      {lastSeconds !== null && ` · ${t`took ${formatSeconds(lastSeconds)}`}`}
      {nextRun && (
        <>
          {' · '}
          <Trans>next run {nextRun}</Trans>
        </>
      )}
    </>
  )
}

type BadgeTone = ComponentProps<typeof Badge>['tone']

function jobBadges({ running, outcome, late }: JobStatus): [label: string, tone: BadgeTone][] {
  const badges: [string, BadgeTone][] = []
  if (late) badges.push([t`Late`, 'danger'])
  if (running) badges.push([t`Running`, 'ember'])
  else if (outcome === 'done') badges.push([t`Done`, 'success'])
  else if (outcome === 'failed') badges.push([t`Failed`, 'danger'])
  else if (!late) badges.push([t`Not run yet`, 'neutral'])
  return badges
}

/** Shows which jobs are late or failing, with a link to the schedule. */
export function FailingJobsAlert() {
  const { data } = useQuery(jobsQuery)
  const failingJobs = data?.filter(isFailing) ?? []
  if (failingJobs.length === 0) return null
  const count = failingJobs.length
  const names = new Intl.ListFormat(i18n.locales ?? i18n.locale).format(failingJobs.map(({ name }) => name))
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
        {t`${plural(count, {
          one: `# job is late or failing: ${names}`,
          other: `# jobs are late or failing: ${names}`,
        })}`}
      </Box>
      <ButtonLink to={paths.admin.getHref('system')} variant="outline" size="sm">
        {t`Show schedule`}
      </ButtonLink>
    </Box>
  )
}

/** Formats 7200 as 'Every 2 hours' and 300 as 'Every 5 minutes'. */
function formatInterval(seconds: number): string {
  if (seconds % 86_400 === 0) {
    const days = seconds / 86_400
    return t`${plural(days, { one: 'Every day', other: 'Every # days' })}`
  }
  if (seconds % 3600 === 0) {
    const hours = seconds / 3600
    return t`${plural(hours, { one: 'Every hour', other: 'Every # hours' })}`
  }
  if (seconds % 60 === 0) {
    const minutes = seconds / 60
    return t`${plural(minutes, { one: 'Every minute', other: 'Every # minutes' })}`
  }
  return t`${plural(seconds, { one: 'Every second', other: 'Every # seconds' })}`
}

/** Formats 0.1234 as '123 ms', 1.234 as '1.2 sec' and 75.4 as '75 sec'. */
function formatSeconds(seconds: number): string {
  const [unit, value] = seconds < 1 ? ['millisecond', seconds * 1000] : ['second', seconds]
  return numberFormat({
    style: 'unit',
    unit,
    maximumFractionDigits: unit === 'second' && value < 10 ? 1 : 0,
  }).format(value)
}
