import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { CreatorProPlan } from './CreatorProPlan'
import { DangerZone } from './DangerZone'
import { DataExport } from './DataExport'
import { Subscriptions } from './Subscriptions'

/** What is paid for, one's data to take along, and the way out for good. */
export function BillingTab() {
  const { data: config } = useQuery(configQuery)
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      {config && config.payments !== 'stripe' && (
        <Box paddingInline={{ base: '4', md: '1' }}>
          <PaymentNotice payments={config.payments} beside="purchases" />
        </Box>
      )}
      <CreatorProPlan />
      <Subscriptions />
      <DataExport />
      <DangerZone />
    </Box>
  )
}
