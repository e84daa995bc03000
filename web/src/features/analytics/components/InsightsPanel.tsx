import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { ChevronDownIcon } from '@/ui/icons'
import { TextLink } from '@/ui/layout'
import { hoursQuery, monthlyQuery, topPostsQuery, useAnalyticsRequest } from '../api'
import { findInsights } from '../insights'
import { Panel } from './Panel'

/** Returns a function that builds the URL of another tab with the same date range. */
export function useTabHref(): (tab: string) => string {
  const [params] = useSearchParams()
  return (tab) => `?${new URLSearchParams({ ...Object.fromEntries(params), tab })}`
}

/** Lists what stands out in the period, with links. Shows nothing if there are fewer than two insights. */
export function InsightsPanel() {
  const request = useAnalyticsRequest()
  const tabHref = useTabHref()
  const posts = useQuery(topPostsQuery(request))
  const hours = useQuery(hoursQuery(request))
  const monthly = useQuery(monthlyQuery(request))
  if (!posts.data || !hours.data || !monthly.data) return null
  const data = { posts: posts.data, hours: hours.data, monthly: monthly.data }
  const insights = findInsights(data, request.range, new Date().getTimezoneOffset())
  if (insights.length === 0) return null
  return (
    <Panel
      title={t`What stands out`}
      isUpdating={[posts, hours, monthly].some(({ isPlaceholderData }) => isPlaceholderData)}
    >
      <Box as="ul" listStyleType="none" display="grid" marginTop="-2" marginBottom="-2" marginInline="-2">
        {insights.map((insight) => (
          <li key={insight.text}>
            {'postId' in insight ? (
              <InsightLink to={paths.post.getHref(insight.postId)}>
                <InsightContent text={insight.text} />
              </InsightLink>
            ) : (
              <InsightLink to={tabHref(insight.tab)} replace>
                <InsightContent text={insight.text} />
              </InsightLink>
            )}
          </li>
        ))}
      </Box>
    </Panel>
  )
}

const InsightLink = chakra(TextLink, {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    minHeight: 'target',
    paddingInline: '2',
    paddingBlock: '1.5',
    borderRadius: 'md',
    color: 'text',
    fontWeight: 'normal',
    textDecoration: 'none',
    _hover: { bg: 'hover', textDecoration: 'none' },
  },
})

function InsightContent({ text }: { text: string }) {
  return (
    <>
      <Box as="span" minWidth="0" overflowWrap="anywhere">
        <bdi>{text}</bdi>
      </Box>
      <Box as="span" aria-hidden flexShrink={0} color="muted" transform="rotate(-90deg)">
        <ChevronDownIcon />
      </Box>
    </>
  )
}
