import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Card, PageHeader } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { Tabs } from '@/ui/Tabs'
import { PayoutsTab } from '../payouts/pages/PayoutsTab'
import { UsersTab } from '../users/pages/UsersTab'

const ReportsTab = lazy(() => import('../moderation/pages/ReportsTab'))
const AutomationTab = lazy(() => import('../auto-posting/pages/AutomationTab'))
const AuditTab = lazy(() => import('../audit/pages/AuditTab'))
const SettingsTab = lazy(() => import('../settings/pages/SettingsTab'))

const tabs = [
  { value: 'people', label: 'People', content: <UsersTab /> },
  { value: 'reports', label: 'Reports', content: onDemand(<ReportsTab />) },
  { value: 'payouts', label: 'Payouts', content: <PayoutsTab /> },
  { value: 'automation', label: 'Automation', content: onDemand(<AutomationTab />) },
  { value: 'audit', label: 'Audit', content: onDemand(<AuditTab />) },
  { value: 'settings', label: 'Settings', content: onDemand(<SettingsTab />) },
]

/** What admins do, a tab for each part of it; the tab is in the address, so that it can be linked. */
export function AdminPanel() {
  const [params, setParams] = useSearchParams()
  const open = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0]
  return (
    <>
      <PageHeader title="Admin Panel" />
      <Tabs
        label="Admin Panel"
        tabs={tabs}
        value={open?.value ?? ''}
        // At once, or a second press would be judged by the tab of before.
        onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
      />
    </>
  )
}

/** A tab whose code comes when it is opened. */
function onDemand(tab: ReactNode) {
  return <Suspense fallback={<OnItsWay />}>{tab}</Suspense>
}

function OnItsWay() {
  return (
    <Loading label="Loading">
      <Card padding={{ base: '4', md: '5' }}>
        <Skeleton height="5" width="30%" />
        <SkeletonText lines={3} marginTop="4" />
      </Card>
    </Loading>
  )
}
