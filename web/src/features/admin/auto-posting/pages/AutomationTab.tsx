import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { FailingJobsAlert } from '../../jobs/components/FailingJobsAlert'
import { JobSchedule } from '../../jobs/components/JobSchedule'
import { RunList } from '../components/RunList'

/** How auto-posting and the schedule go. */
export default function AutomationTab() {
  const schedule = useRef<HTMLHeadingElement>(null)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <FailingJobsAlert onShow={() => schedule.current?.focus()} />
      <RunList />
      <JobSchedule heading={schedule} />
    </Box>
  )
}
