import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { FailingJobsAlert, JobSchedule } from '../../jobs/components/JobSchedule'
import { RunList } from '../components/RunList'

/** Shows the runs of auto-posting and the schedule of jobs. */
export default function AutomationTab() {
  const scheduleHeading = useRef<HTMLHeadingElement>(null)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <FailingJobsAlert onShowSchedule={() => scheduleHeading.current?.focus()} />
      <RunList />
      <JobSchedule heading={scheduleHeading} />
    </Box>
  )
}
