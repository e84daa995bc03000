import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { RunsSection } from './runs/RunsSection'
import { JobsInTrouble } from './schedule/JobsInTrouble'
import { ScheduleSection } from './schedule/ScheduleSection'

/** How auto-posting and the schedule go. */
export default function AutomationTab() {
  const schedule = useRef<HTMLHeadingElement>(null)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <JobsInTrouble onShow={() => schedule.current?.focus()} />
      <RunsSection />
      <ScheduleSection heading={schedule} />
    </Box>
  )
}
