import { Box } from '@chakra-ui/react'
import { msg, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ApiError } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-client'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { ButtonLink } from '@/ui/Button'
import { CurtainIllustration } from '@/ui/illustrations'
import { Card, PageHeader } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/states'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { PayoutsTab } from '../payouts/pages/PayoutsTab'
import { userStatsQuery } from '../users/api'
import { UsersTab } from '../users/pages/UsersTab'

/** Shows the admin panel to admins (`/admin?tab=`). */
export default function AdminPage() {
  const { user } = useCurrentUser()
  useDocumentTitle(t`Admin Panel`)
  useRecheckAdminAccess()
  return (
    <>
      {!user?.isAdmin && (
        <EmptyState
          as="h1"
          illustration={<CurtainIllustration />}
          title={t`Access Denied`}
          text={t`You don't have permission to access this page.`}
          action={
            <ButtonLink to={paths.home.getHref()} variant="ember">
              {t`Back to home`}
            </ButtonLink>
          }
        />
      )}
      {user?.isAdmin && <AdminPanel />}
    </>
  )
}

const ReportsTab = lazy(() => import('../moderation/pages/ReportsTab'))
const AutomationTab = lazy(() => import('../auto-posting/pages/AutomationTab'))
const AuditTab = lazy(() => import('../audit/pages/AuditTab'))
const SystemTab = lazy(() => import('../system/pages/SystemTab'))
const SettingsTab = lazy(() => import('../settings/pages/SettingsTab'))

const tabs = [
  { value: 'people', label: msg`Users`, content: <UsersTab /> },
  { value: 'reports', label: msg`Reports`, content: withFallback(<ReportsTab />) },
  { value: 'payouts', label: msg`Payouts`, content: <PayoutsTab /> },
  { value: 'automation', label: msg`Automation`, content: withFallback(<AutomationTab />) },
  { value: 'audit', label: msg`Audit`, content: withFallback(<AuditTab />) },
  { value: 'system', label: msg`System`, content: withFallback(<SystemTab />) },
  { value: 'settings', label: msg`Settings`, content: withFallback(<SettingsTab />) },
]

/**
 * On phones, the tabs are wider than the screen and fade out at its edge. The padding lets the last tab scroll clear of
 * the fade.
 */
const fadingTabs = {
  '& > div > [role=tablist]': {
    paddingInlineEnd: { base: '8', md: '0' },
    maskImage: {
      base: 'linear-gradient(to right, {colors.text} calc(100% - {spacing.8}), transparent)',
      md: 'none',
    },
  },
} as const

/**
 * Shows the tabs of the panel, with the numbers of open cases and pending payouts. The selected tab is in the URL, so
 * that it can be linked to.
 */
function AdminPanel() {
  const [params, setParams] = useSearchParams()
  const { data: stats } = useQuery(userStatsQuery)
  const counts: Record<string, number | undefined> = {
    reports: stats && stats.openCases + stats.openAppeals,
    payouts: stats?.waitingPayouts,
  }
  const selectedTab = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0]
  return (
    <>
      <PageHeader title={t`Admin Panel`} />
      <Box css={fadingTabs}>
        <Tabs
          label={t`Admin Panel`}
          tabs={tabs.map((tab) => ({
            ...tab,
            label: (
              <>
                {t(tab.label)}{' '}
                {counts[tab.value] ? <Badge>{formatCount(counts[tab.value] ?? 0)}</Badge> : null}
              </>
            ),
          }))}
          value={selectedTab?.value ?? ''}
          // Without `flushSync`, a second key press in quick succession would start from the old tab.
          onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
        />
      </Box>
    </>
  )
}

/** Shows a placeholder until the code of a lazy tab has loaded. */
function withFallback(tab: ReactNode) {
  return <Suspense fallback={<TabSkeleton />}>{tab}</Suspense>
}

function TabSkeleton() {
  return (
    <Loading>
      <Card padding={{ base: '4', md: '5' }}>
        <Skeleton height="5" width="30%" />
        <SkeletonText lines={3} marginTop="4" />
      </Card>
    </Loading>
  )
}

/**
 * Refetches the current user when an admin query is rejected with 403. A user who is no longer an admin then sees that
 * access is denied instead of one error per section.
 */
function useRecheckAdminAccess(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        if (event.query.queryKey[0] !== 'admin') return
        const { error } = event.action
        if (error instanceof ApiError && error.status === 403) {
          void client.invalidateQueries({ queryKey: queryKeys.currentUser })
        }
      }),
    [client],
  )
}
