import { Box } from '@chakra-ui/react'
import type { JobStatus } from '@contract/admin.ts'
import type { ComponentProps } from 'react'
import { fullTime, timeAgo, timeUntil } from '@/lib/format'
import { useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { formatInterval, formatJobName } from '../../auto-posting/model'

/** One job: what it is for, how its last turn went, and when the next one is. */
export function JobRow({ job }: { job: JobStatus }) {
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
        {badges(job).map(([word, tone]) => (
          <Badge key={word} tone={tone}>
            {word}
          </Badge>
        ))}
      </Box>
    </Box>
  )
}

type Tone = ComponentProps<typeof Badge>['tone']

function badges({ running, outcome, late }: JobStatus): [string, Tone][] {
  const all: [string, Tone][] = []
  if (late) all.push(['Late', 'danger'])
  if (running) all.push(['Running', 'ember'])
  else if (outcome === 'done') all.push(['Done', 'success'])
  else if (outcome === 'failed') all.push(['Failed', 'danger'])
  else if (!late) all.push(['Not yet', 'neutral'])
  return all
}
