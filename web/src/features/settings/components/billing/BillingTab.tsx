import { Box } from '@chakra-ui/react'
import { CreatorProPlan } from './CreatorProPlan'
import { DangerZone } from './DangerZone'
import { Subscriptions } from './Subscriptions'
import { YourData } from './YourData'

/** What is paid for, one's data to take along, and the way out for good. */
export function BillingTab() {
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      <CreatorProPlan />
      <Subscriptions />
      <YourData />
      <DangerZone />
    </Box>
  )
}
