import { Box, chakra } from '@chakra-ui/react'
import { periodDays, type TopPost } from '@contract/analytics.ts'
import { plural, t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { longDate } from '@/lib/time'
import { BarChart } from '@/ui/charts/BarChart'
import { HourHeatmap } from '@/ui/charts/HourHeatmap'
import { weekdayName } from '@/ui/charts/time-axis'
import { LockIcon } from '@/ui/icons'
import { StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { hoursQuery, topPostsQuery, useAnalyticsRequest } from '../api'
import { averageByWeekday, formatAverage, peakHourText, shiftToZone, wholeHourZone } from '../model'
import {
  errorWithoutData,
  Panel,
  PanelError,
  PanelPair,
  PanelSkeleton,
  PanelStack,
  StaleDataNotice,
} from './Panel'

/** Shows the posts with the most views, and at which hours posts were viewed. */
export function ContentTab() {
  const request = useAnalyticsRequest()
  const posts = useQuery(topPostsQuery(request))
  const hours = useQuery(hoursQuery(request))
  return (
    <PanelStack>
      <StaleDataNotice queries={[posts, hours]} />
      <PanelPair alignItems="start">
        <TopPostsPanel />
        <HoursPanel />
      </PanelPair>
    </PanelStack>
  )
}

function TopPostsPanel() {
  const request = useAnalyticsRequest()
  const { data: posts, error, isPlaceholderData: isUpdating, refetch } = useQuery(topPostsQuery(request))
  const loadError = errorWithoutData({ data: posts, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!posts) return <PanelSkeleton label={t`Loading your best posts`} />
  const days = periodDays[request.period]
  if (posts.length === 0 && !isUpdating) {
    return (
      <Card>
        <EmptyState
          illustration={<StageIllustration />}
          title={t`No views yet`}
          text={plural(days, {
            365: 'Nobody saw your posts in the last year.',
            other: 'Nobody saw your posts in the last # days.',
          })}
        />
      </Card>
    )
  }
  return (
    <Panel
      title={t`Best posts`}
      note={plural(days, { 365: 'Most views in the last year', other: 'Most views in the last # days' })}
      isUpdating={isUpdating}
    >
      <Box as="ol" display="grid">
        {posts.map((post) => (
          <TopPostRow key={post.id} post={post} />
        ))}
      </Box>
    </Panel>
  )
}

function TopPostRow({ post }: { post: TopPost }) {
  const { viewCount, likeCount, commentCount } = post
  return (
    <Box
      as="li"
      display="flex"
      gap="4"
      justifyContent="space-between"
      paddingBlock="3"
      borderTopWidth="1px"
      minWidth="0"
      _first={{ borderTopWidth: '0', paddingTop: '0' }}
      _last={{ paddingBottom: '0' }}
    >
      <Box minWidth="0">
        <PostLink to={paths.post.getHref(post.id)}>{post.content.trim() || t`Photo or video post`}</PostLink>
        <Box display="flex" flexWrap="wrap" columnGap="3" textStyle="small" color="muted" marginTop="0.5">
          {post.isPremium && (
            <Box
              as="span"
              display="inline-flex"
              alignItems="center"
              gap="1"
              color="gold.text"
              fontWeight="medium"
            >
              <LockIcon /> {t`Premium`}
            </Box>
          )}
          <span>{longDate(post.createdAt)}</span>
        </Box>
      </Box>
      <Box textAlign="end" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        <Box textStyle="label">
          <Plural value={viewCount} one="# view" other="# views" />
        </Box>
        <Box textStyle="small" color="muted">
          <Plural value={likeCount} one="# like" other="# likes" />
        </Box>
        <Box textStyle="small" color="muted">
          <Plural value={commentCount} one="# comment" other="# comments" />
        </Box>
      </Box>
    </Box>
  )
}

const PostLink = chakra(Link, {
  base: {
    lineClamp: 2,
    overflowWrap: 'anywhere',
    borderRadius: 'xs',
    _hover: { textDecoration: 'underline', textUnderlineOffset: '0.2em' },
  },
})

/** Shows when posts are viewed: by weekday and hour, and by weekday. */
function HoursPanel() {
  const request = useAnalyticsRequest()
  const { data, error, isPlaceholderData: isUpdating, refetch } = useQuery(hoursQuery(request))
  const { hours, name: zone } = wholeHourZone(new Date().getTimezoneOffset())
  const cells = useMemo(() => shiftToZone(data ?? [], hours), [data, hours])
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label={t`Loading your best hours`} contentHeight="13rem" />
  // TopPostsPanel already shows the empty state.
  if (cells.length === 0 && !isUpdating) return null
  const weekdayBars = averageByWeekday(cells).map((value, index) => ({ name: weekdayName(index), value }))
  const days = periodDays[request.period]
  return (
    <PanelStack>
      <Panel
        title={t`Best hours`}
        note={peakHourText(cells) ?? t`No views before today`}
        isUpdating={isUpdating}
      >
        <HourHeatmap
          label={t`Average views by weekday and hour (${zone})`}
          cells={cells}
          format={(value) => {
            const average = formatAverage(value)
            return t`${average} views on average`
          }}
          formatPlain={formatAverage}
          hint={
            hours === 0
              ? t`Average views per hour, in UTC. A stronger color means more views.`
              : t`Average views per hour, in your time (${zone}). A stronger color means more views.`
          }
        />
      </Panel>
      {cells.some(({ value }) => value > 0) && (
        <Panel
          title={t`Best days`}
          note={t`Average views per weekday, last ${days} full days`}
          isUpdating={isUpdating}
        >
          <BarChart
            label={t`Average views by weekday (${zone})`}
            head={[t`Weekday`, t`Average views`]}
            bars={weekdayBars}
            format={formatAverage}
          />
        </Panel>
      )}
    </PanelStack>
  )
}
