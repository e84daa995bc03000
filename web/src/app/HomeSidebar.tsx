import { Box } from '@chakra-ui/react'
import { AnalyticsSummary } from '@/features/analytics/components/AnalyticsSummary'
import TrendingCreators from '@/features/users/components/TrendingCreators'
import { appName } from '@/lib/app-name'
import { paths } from '@/lib/paths'
import { TextAnchor } from '@/ui/layout'
import { QuickActions } from './QuickActions'

/** Beside the home feed and what is like it: what one can start, whom one can follow, and the small print. */
export function HomeSidebar() {
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
      <QuickActions />
      <TrendingCreators />
      <AnalyticsSummary />
      <Box
        as="footer"
        textStyle="caption"
        color="muted"
        display="flex"
        flexWrap="wrap"
        gap="4"
        paddingInline="2"
      >
        <SmallPrint href={paths.terms.getHref()}>Terms</SmallPrint>
        <SmallPrint href={paths.privacy.getHref()}>Privacy</SmallPrint>
        <span>
          © {new Date().getFullYear()} {appName}
        </span>
      </Box>
    </Box>
  )
}

function SmallPrint({ href, children }: { href: string; children: string }) {
  return (
    <TextAnchor href={href} target="_blank" rel="noopener" color="muted" fontWeight="normal">
      {children}
    </TextAnchor>
  )
}
