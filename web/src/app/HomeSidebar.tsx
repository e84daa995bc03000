import { Box } from '@chakra-ui/react'
import { msg, t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import CreatorUpdates from '@/features/users/components/CreatorUpdates'
import TrendingCreators from '@/features/users/components/TrendingCreators'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { LiveIcon, PlusIcon, TagIcon } from '@/ui/icons'
import { Card, TextAnchor } from '@/ui/layout'
import { Skeleton } from '@/ui/Skeleton'
import { openComposer, openLiveDialog, openProductDialog } from './shell/quick-dialogs'

// If the code of the summary cannot be loaded, the sidebar omits the summary.
const AnalyticsSummary = lazy(() =>
  import('@/features/analytics/components/AnalyticsSummary').catch(() => ({ default: () => null })),
)

/** Shows creators a summary of their analytics. */
export function OwnAnalytics() {
  return (
    <Suspense fallback={<Skeleton height="13rem" borderRadius="lg" />}>
      <AnalyticsSummary />
    </Suspense>
  )
}

/**
 * The content of the home feed's right sidebar: quick actions, creators with new posts, trending creators, analytics
 * and legal links. Users who are not creators see the quick actions below the trending creators, and no analytics.
 */
export function HomeSidebar() {
  const { user } = useCurrentUser()
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
      {user?.isCreator && <QuickActions />}
      <CreatorUpdates />
      <TrendingCreators />
      {!user?.isCreator && <QuickActions />}
      {user?.isCreator && <OwnAnalytics />}
      <SidebarFooter />
    </Box>
  )
}

/** Shows the legal links below the sidebar's cards. */
export function SidebarFooter() {
  return (
    <Box
      as="footer"
      textStyle="caption"
      color="muted"
      display="flex"
      flexWrap="wrap"
      gap="4"
      paddingInline="2"
    >
      <LegalLink href={paths.terms.getHref()}>{t`Terms`}</LegalLink>
      <LegalLink href={paths.privacy.getHref()}>{t`Privacy`}</LegalLink>
      <span>
        © {new Date().getFullYear()} {appName}
      </span>
    </Box>
  )
}

function LegalLink({ href, children }: { href: string; children: string }) {
  return (
    <TextAnchor href={href} target="_blank" rel="noopener" color="muted" fontWeight="normal">
      {children}
    </TextAnchor>
  )
}

const quickActions = [
  { label: msg`Create New Post`, icon: <PlusIcon />, open: openComposer },
  { label: msg`Go Live`, icon: <LiveIcon />, open: openLiveDialog },
  { label: msg`Add Product`, icon: <TagIcon />, open: openProductDialog },
] as const

function QuickActions() {
  return (
    <Card as="section" aria-labelledby="quick-actions" padding="4">
      <Box as="h2" id="quick-actions" textStyle="title" marginBottom="1">
        {t`Quick Actions`}
      </Box>
      <Box display="flex" gap="1" marginInline="-2" marginBottom="-2">
        {quickActions.map(({ label, icon, open }) => (
          <Button
            key={label.id}
            variant="ghost"
            flexDirection="column"
            justifyContent="flex-start"
            flex="1 1 auto"
            gap="1"
            height="auto"
            paddingInline="1"
            paddingBlock="2"
            borderRadius="md"
            fontWeight="medium"
            textStyle="caption"
            whiteSpace="normal"
            onClick={open}
          >
            <Box as="span" fontSize="xl" color="muted">
              {icon}
            </Box>
            {t(label)}
          </Button>
        ))}
      </Box>
    </Card>
  )
}

/** Shows the quick actions below the composer if there is no sidebar. Omits the one that creates a post. */
export function QuickActionsBar() {
  return (
    <Card
      role="group"
      aria-label={t`Quick Actions`}
      hideFrom="xl"
      borderRadius="0"
      display="flex"
      flexWrap="wrap"
      columnGap="2"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="2"
    >
      {quickActions.slice(1).map(({ label, icon, open }) => (
        <Button key={label.id} variant="ghost" flex="1 1 auto" paddingInline="2" onClick={open}>
          <Box as="span" fontSize="xl" color="ember.text">
            {icon}
          </Box>
          {t(label)}
        </Button>
      ))}
    </Card>
  )
}
