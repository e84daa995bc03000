import { useSearchParams } from 'react-router-dom'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { NotificationsTab } from '../components/NotificationsTab'
import { PrivacyTab } from '../components/PrivacyTab'
import { ProfileTab } from '../components/ProfileTab'
import { SecurityTab } from '../components/SecurityTab'

const tabs = [
  { value: 'profile', label: 'Profile', content: <ProfileTab /> },
  { value: 'privacy', label: 'Privacy', content: <PrivacyTab /> },
  { value: 'notifications', label: 'Notifications', content: <NotificationsTab /> },
  { value: 'security', label: 'Security', content: <SecurityTab /> },
]

/** `/settings?tab=`: the tab is in the address, so that it can be linked and survives a reload. */
export default function SettingsPage() {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('tab')
  const open = tabs.find((tab) => tab.value === wanted) ?? tabs[0]
  useDocumentTitle('Settings')
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs
        label="Settings"
        tabs={tabs}
        value={open?.value ?? ''}
        onChange={(tab) => setParams({ tab }, { replace: true })}
      />
    </>
  )
}
