import { Box } from '@chakra-ui/react'
import { FailingJobsAlert } from '../../system/components/JobSchedule'
import { AiKeyCard } from '../components/AiKeyCard'
import { RunList } from '../components/RunList'

/** Shows the AI key and the runs of auto-posting, and an alert if a job is late or failing. */
export default function AutomationTab() {
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <FailingJobsAlert />
      <AiKeyCard />
      <RunList />
    </Box>
  )
}
