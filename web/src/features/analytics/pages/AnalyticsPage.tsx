import { Box } from '@chakra-ui/react'
import { msg, t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { CreatorsOnlyNotice, useCreatorsOnlyRedirect } from '@/billing/components/CreatorsOnlyNotice'
import { useUrlParams } from '@/lib/url-params'
import { useCurrentUser } from '@/session/session'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useMinWidth } from '@/ui/useMinWidth'
import { AnalyticsRequestContext } from '../api'
import { AudienceTab } from '../components/AudienceTab'
import { ContentTab } from '../components/ContentTab'
import { OverviewTab } from '../components/OverviewTab'
import { RevenueTab } from '../components/RevenueTab'
import {
  ExportButton,
  LastUpdated,
  MetricDefinitions,
  PeriodPicker,
  RefreshButton,
} from '../components/Toolbar'
import { type AnalyticsRange, parseRange } from '../model'

const tabs = [
  { value: 'overview', label: msg`Overview`, content: <OverviewTab /> },
  { value: 'content', label: msg`Content`, content: <ContentTab /> },
  { value: 'audience', label: msg`Audience`, content: <AudienceTab /> },
  { value: 'revenue', label: msg`Revenue`, content: <RevenueTab /> },
]

/** Shows a creator's analytics. URL: `/analytics?period=&tab=&metric=`, or `from=&to=` instead of `period=`. */
export default function AnalyticsPage() {
  useDocumentTitle(t`Analytics`)
  const { user } = useCurrentUser()
  useCreatorsOnlyRedirect(
    user !== null && !user.isCreator,
    t`Analytics is a Creator Pro exclusive feature. Upgrade your account to access insights into your audience.`,
  )
  if (user?.isCreator) return <CreatorAnalytics userId={user.id} />
  return (
    <>
      <PageHeader title={t`Analytics`} />
      <CreatorsOnlyNotice />
    </>
  )
}

function CreatorAnalytics({ userId }: { userId: string }) {
  const [params, changeParams] = useUrlParams()
  const [openedAt] = useState(() => Date.now())
  // Narrower screens have no room for the picker beside the title.
  const isPickerInTitleRow = useMinWidth('lg')
  const request = useMemo(() => ({ userId, range: parseRange(params), openedAt }), [userId, params, openedAt])
  const tab = tabs.find(({ value }) => value === params.get('tab')) ?? tabs[0]
  const setRange = (range: AnalyticsRange) => changeParams({ period: null, from: null, to: null, ...range })
  const picker = <PeriodPicker value={request.range} onChange={setRange} />
  return (
    <AnalyticsRequestContext value={request}>
      <PageHeader
        title={t`Analytics`}
        note={<LastUpdated />}
        action={
          <Box display="flex" alignItems="center" marginInlineEnd={{ base: '-3', md: '0' }}>
            {isPickerInTitleRow && <Box marginInlineEnd="2">{picker}</Box>}
            <MetricDefinitions />
            <RefreshButton />
            <ExportButton />
          </Box>
        }
      />
      {!isPickerInTitleRow && (
        <Box paddingInline={{ base: '4', md: '0' }} marginTop={{ base: '1', md: '0' }} marginBottom="3">
          {picker}
        </Box>
      )}
      <Tabs
        label={t`Analytics`}
        align="start"
        tabs={tabs.map(({ value, label, content }) => ({
          value,
          label: t(label),
          content: <Box padding={{ base: '{spacing.3} {spacing.4} 0', md: '0' }}>{content}</Box>,
        }))}
        value={tab?.value ?? ''}
        onChange={(selected) => changeParams({ tab: selected })}
      />
    </AnalyticsRequestContext>
  )
}
