import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '@/lib/format'
import { longDate } from '@/lib/time'
import { type Bar, BarChart } from '@/ui/charts/BarChart'
import { ComparisonText, compareAmounts } from '@/ui/charts/Comparison'
import { TimeChart } from '@/ui/charts/TimeChart'
import { previousPeriodName } from '@/ui/charts/time-axis'
import { SearchIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { audienceQuery, monthlyQuery, useAnalyticsRequest } from '../api'
import { chartPoints, formatShare, rangeLength } from '../model'
import {
  errorWithoutData,
  Panel,
  PanelError,
  PanelPair,
  PanelSkeleton,
  PanelStack,
  StaleDataNotice,
  TabNote,
} from './Panel'

/** Shows new followers, and the ages and countries of all followers. */
export function AudienceTab() {
  const request = useAnalyticsRequest()
  const monthly = useQuery(monthlyQuery(request))
  const audience = useQuery(audienceQuery(request))
  return (
    <PanelStack>
      <StaleDataNotice queries={[monthly, audience]} />
      <NewFollowersPanel />
      <AudienceGroups />
    </PanelStack>
  )
}

function NewFollowersPanel() {
  const request = useAnalyticsRequest()
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(monthlyQuery(request))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label={t`Loading your followers`} />
  const { range } = request
  if (!isUpdating && data.newFollowers === 0 && data.previous.newFollowers === 0) {
    return (
      <Card inset>
        <EmptyState
          illustration={<SearchIllustration />}
          title={t`No new followers`}
          text={
            'period' in range
              ? plural(2 * rangeLength(range), {
                  730: 'None in the last two years. Posting regularly helps people find you.',
                  other: 'None in the last # days. Posting regularly helps people find you.',
                })
              : t`None on these days or in the same number of days before. Posting regularly helps people find you.`
          }
        />
      </Card>
    )
  }
  return (
    <Panel
      title={t`New followers`}
      value={formatCount(data.newFollowers)}
      note={
        <ComparisonText
          comparison={compareAmounts(data.newFollowers, data.previous.newFollowers)}
          days={rangeLength(range)}
        />
      }
      isUpdating={isUpdating}
    >
      <TimeChart
        kind="bars"
        label={t`New followers`}
        points={chartPoints(data, range, (day) => day.newFollowers)}
        previous={previousPeriodName(rangeLength(range))}
        format={formatCount}
      />
    </Panel>
  )
}

function AudienceGroups() {
  const request = useAnalyticsRequest()
  const { data, error, refetch } = useQuery(audienceQuery(request))
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <PanelPair>
        <PanelSkeleton label={t`Loading your followers' ages`} contentHeight="10rem" />
        <PanelSkeleton label={t`Loading your followers' countries`} contentHeight="10rem" />
      </PanelPair>
    )
  }
  const ageBars = data.ageGroups.map(({ range, percentage }) => ({
    name: range.replace('-', '–'),
    value: percentage,
  }))
  const countryNames = new Intl.DisplayNames(i18n.locales ?? i18n.locale, { type: 'region' })
  const countryBars = data.countries.map(({ name, percentage }) => ({
    name: countryNames.of(name) ?? name,
    value: percentage,
  }))
  const lastUpdate = data.countedAt && longDate(data.countedAt)
  return (
    <>
      {/* The lists often differ in length, so the panels do not stretch to the same height. */}
      <PanelPair alignItems="start">
        <SharePanel title={t`Age`} label={t`Followers by age`} head={[t`Age`, t`Share`]} bars={ageBars} />
        <SharePanel
          title={t`Country`}
          label={t`Followers by country`}
          head={[t`Country`, t`Share`]}
          bars={countryBars}
        />
      </PanelPair>
      <TabNote>
        {t`Groups of fewer than five are hidden to protect your followers' privacy.`}{' '}
        {lastUpdate ? t`Updated daily. Last update: ${lastUpdate}.` : t`Updated daily. No data yet.`}
      </TabNote>
    </>
  )
}

function SharePanel({
  title,
  label,
  head,
  bars,
}: {
  title: string
  label: string
  head: [string, string]
  bars: Bar[]
}) {
  return (
    <Panel title={title} note={bars.length === 0 ? t`Not enough followers to show this yet.` : undefined}>
      {bars.length > 0 && <BarChart label={label} head={head} bars={bars} format={formatShare} end={100} />}
    </Panel>
  )
}
