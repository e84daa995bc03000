import { Box } from '@chakra-ui/react'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CreatorsOnlyNotice, useCreatorsOnlyRedirect } from '@/billing/components/CreatorsOnlyNotice'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { isCreatorsOnlyError, overviewQuery } from '../api'
import { GoalsTab } from '../components/GoalsTab'
import { OverviewTab } from '../components/OverviewTab'
import { PayoutsTab } from '../components/PayoutsTab'
import { TransactionsTab } from '../components/TransactionsTab'
import { useEarningsRealtime } from '../realtime'

const tabs = [
  { value: 'overview', label: msg`Overview`, content: <OverviewTab /> },
  { value: 'transactions', label: msg`Transactions`, content: <TransactionsTab /> },
  { value: 'payouts', label: msg`Payouts`, content: <PayoutsTab /> },
  { value: 'goals', label: msg`Goals`, content: <GoalsTab /> },
]

/**
 * Shows a creator's earnings and payouts (`/earnings?tab=`). The server decides who has access: former creators can
 * still withdraw what they earned.
 */
export default function EarningsPage() {
  const { user } = useCurrentUser()
  const isCreator = user?.isCreator ?? false
  // The server decides, but a request that it would certainly reject is not sent.
  const isExpectedDenial = user !== null && !user.isCreator && !user.hasEarned
  const { error, refetch } = useQuery({ ...overviewQuery, enabled: user !== null && !isExpectedDenial })
  const isDenied = isExpectedDenial || isCreatorsOnlyError(error)
  const { data: config } = useQuery(configQuery)
  const [params, setParams] = useSearchParams()
  useDocumentTitle(t`Earnings`)
  useCreatorsOnlyRedirect(
    isDenied,
    t`Earnings is a Creator Pro exclusive feature. Upgrade your account to access revenue tracking and payouts.`,
  )
  useEarningsRealtime(isDenied ? undefined : user?.id)
  useEffect(() => {
    // The user became a creator, for example in another tab.
    if (isCreator && isDenied) void refetch()
  }, [isCreator, isDenied, refetch])
  const selectedTab = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0]
  return (
    <>
      <PageHeader
        title={t`Earnings`}
        note={!isDenied && config?.payments === 'test' && <Badge>{t`Test mode: no real payments`}</Badge>}
      />
      {isDenied ? (
        <CreatorsOnlyNotice />
      ) : (
        <>
          {config?.payments === 'off' && (
            <Box paddingInline={{ base: '4', md: '0' }} paddingBottom="2">
              <PaymentNotice payments={config.payments} context="earnings" />
            </Box>
          )}
          <Tabs
            label={t`Earnings`}
            align="start"
            tabs={tabs.map(({ value, label, content }) => ({
              value,
              label: t(label),
              content: <Box padding={{ base: '{spacing.3} {spacing.4} 0', md: '0' }}>{content}</Box>,
            }))}
            value={selectedTab?.value ?? ''}
            // Synchronous, so that the next key press starts from the new tab.
            onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
          />
        </>
      )}
    </>
  )
}
