import { useSearchParams } from 'react-router-dom'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { DecisionsTab } from '../components/DecisionsTab'
import { AccountLogTab } from './AccountLogTab'
import { ReportsTab } from './ReportsTab'

const tabs = [
  { value: 'reports', label: 'My reports', content: <ReportsTab /> },
  { value: 'decisions', label: 'Decisions', content: <DecisionsTab /> },
  { value: 'account', label: 'Account log', content: <AccountLogTab /> },
]

/** `/safety?tab=`: what one reported, what was decided about oneself, and what admins did to one's account. */
export default function SafetyPage() {
  const [params, setParams] = useSearchParams()
  const open = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0]
  useDocumentTitle('Safety')
  return (
    <>
      <PageHeader title="Safety" />
      <Tabs
        label="Safety"
        tabs={tabs}
        value={open?.value ?? ''}
        // At once, or a second press would be judged by the tab of before.
        onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
      />
    </>
  )
}
