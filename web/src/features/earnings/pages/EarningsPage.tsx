import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CreatorsOnlyNotice } from '@/billing/components/CreatorsOnlyNotice'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { useCreatorsOnlyRedirect } from '@/billing/components/useCreatorsOnlyRedirect'
import { configQuery } from '@/lib/config'
import { useCurrentUser } from '@/session/session'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { isCreatorsOnlyError, overviewQuery } from '../api'
import { GoalsTab } from '../components/GoalsTab'
import { OverviewTab } from '../components/OverviewTab'
import { PayoutsTab } from '../components/PayoutsTab'
import { TransactionsTab } from '../components/TransactionsTab'
import { useEarningsRealtime } from '../realtime'

const why =
  'Earnings is a Creator Pro exclusive feature. Upgrade your account to access revenue tracking and payouts.'

const tabs = [
  { value: 'overview', label: 'Overview', content: <OverviewTab /> },
  { value: 'transactions', label: 'Transactions', content: <TransactionsTab /> },
  { value: 'payouts', label: 'Payouts', content: <PayoutsTab /> },
  { value: 'goals', label: 'Goals', content: <GoalsTab /> },
]

/**
 * `/earnings?tab=`: what a creator earned and how they are paid. Whether somebody may see it says the server: who is no
 * creator any more still gets to what they are owed.
 */
export default function EarningsPage() {
  const { user } = useCurrentUser()
  const isCreator = user?.isCreator ?? false
  const { error, refetch } = useQuery(overviewQuery)
  const refused = isCreatorsOnlyError(error)
  const { data: config } = useQuery(configQuery)
  const [params, setParams] = useSearchParams()
  useDocumentTitle('Earnings')
  useCreatorsOnlyRedirect(refused, why)
  useEarningsRealtime(refused ? undefined : user?.id)
  useEffect(() => {
    // Became a creator in another tab.
    if (isCreator && refused) void refetch()
  }, [isCreator, refused, refetch])
  const open = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0]
  return (
    <>
      <PageHeader title="Earnings" />
      {refused ? (
        <CreatorsOnlyNotice />
      ) : (
        <>
          {config && config.payments !== 'stripe' && (
            <Box paddingInline={{ base: '4', md: '1' }} paddingBottom="2">
              <PaymentNotice payments={config.payments} beside="earnings" />
            </Box>
          )}
          <Tabs
            label="Earnings"
            tabs={tabs}
            value={open?.value ?? ''}
            // At once, or a second press would be judged by the tab of before.
            onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
          />
        </>
      )}
    </>
  )
}
