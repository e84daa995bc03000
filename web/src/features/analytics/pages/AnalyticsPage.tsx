import { Box } from '@chakra-ui/react'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CreatorsOnlyNotice } from '@/billing/components/CreatorsOnlyNotice'
import { useCreatorsOnlyRedirect } from '@/billing/components/useCreatorsOnlyRedirect'
import { useCurrentUser } from '@/session/session'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AudienceTab } from '../components/AudienceTab'
import { ContentTab } from '../components/ContentTab'
import { OverviewTab } from '../components/OverviewTab'
import { PeriodPicker } from '../components/PeriodPicker'
import { RevenueTab } from '../components/RevenueTab'
import { ExportButton, LastUpdated, RefreshButton } from '../components/Toolbar'
import { parsePeriod } from '../period'
import { AnalyticsRequestContext } from '../useAnalyticsRequest'

const why =
  'Analytics is a Creator Pro exclusive feature. Upgrade your account to access insights into your audience.'

const tabs = [
  { value: 'overview', label: 'Overview', content: <OverviewTab /> },
  { value: 'content', label: 'Content', content: <ContentTab /> },
  { value: 'audience', label: 'Audience', content: <AudienceTab /> },
  { value: 'revenue', label: 'Revenue', content: <RevenueTab /> },
]

/** `/analytics?period=&tab=`, for creators: how their posts do. */
export default function AnalyticsPage() {
  useDocumentTitle('Analytics')
  const { user } = useCurrentUser()
  useCreatorsOnlyRedirect(user !== null && !user.isCreator, why)
  if (user?.isCreator) return <Screen userId={user.id} />
  return (
    <>
      <PageHeader title="Analytics" />
      <CreatorsOnlyNotice />
    </>
  )
}

function Screen({ userId }: { userId: string }) {
  const [params, setParams] = useSearchParams()
  const [openedAt] = useState(() => Date.now())
  const period = parsePeriod(params.get('period'))
  const asked = useMemo(() => ({ userId, period, openedAt }), [userId, period, openedAt])
  const tab = tabs.find(({ value }) => value === params.get('tab')) ?? tabs[0]
  const choose = (name: string, value: string) =>
    setParams(
      (now) => {
        now.set(name, value)
        return now
      },
      // At once, or a second choice would be made from the address of before.
      { replace: true, flushSync: true },
    )
  return (
    <AnalyticsRequestContext value={asked}>
      <PageHeader
        title="Analytics"
        action={
          <>
            <RefreshButton />
            <ExportButton />
          </>
        }
      />
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        gap="2"
        paddingInline={{ base: '4', md: '1' }}
        marginBottom="3"
      >
        <PeriodPicker value={period} onChange={(chosen) => choose('period', chosen)} />
        <LastUpdated />
      </Box>
      <Tabs
        label="Analytics"
        tabs={tabs}
        value={tab?.value ?? ''}
        onChange={(chosen) => choose('tab', chosen)}
      />
    </AnalyticsRequestContext>
  )
}
