import { Box, chakra } from '@chakra-ui/react'
import type { TopPost } from '@contract/analytics.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { longDate } from '@/lib/time'
import { BarChart } from '@/ui/charts/BarChart'
import { HourHeatmap } from '@/ui/charts/HourHeatmap'
import { weekdays } from '@/ui/charts/time-axis'
import { LockIcon } from '@/ui/icons'
import { StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { hoursQuery, topPostsQuery, useAnalyticsRequest } from '../api'
import {
  averageByWeekday,
  formatAverage,
  peakHourText,
  periodLength,
  pluralize,
  shiftToZone,
  wholeHourZone,
} from '../model'
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
  if (!posts) return <PanelSkeleton label="Loading your best posts" />
  if (posts.length === 0 && !isUpdating) {
    return (
      <Card>
        <EmptyState
          illustration={<StageIllustration />}
          title="No post was seen"
          text={`In the last ${periodLength(request.period)} nobody had one of your posts on their screen.`}
        />
      </Card>
    )
  }
  return (
    <Panel
      title="Best posts"
      note={`Most views in the last ${periodLength(request.period)}`}
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
        <PostLink to={paths.post.getHref(post.id)}>{post.content.trim() || 'A post without words'}</PostLink>
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
              <LockIcon /> Premium
            </Box>
          )}
          <span>{longDate(post.createdAt)}</span>
        </Box>
      </Box>
      <Box textAlign="end" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        <Box textStyle="label">{pluralize(post.viewCount, 'view')}</Box>
        <Box textStyle="small" color="muted">
          {pluralize(post.likeCount, 'like')}
        </Box>
        <Box textStyle="small" color="muted">
          {pluralize(post.commentCount, 'comment')}
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
  const { hours, name } = wholeHourZone(new Date().getTimezoneOffset())
  const cells = useMemo(() => shiftToZone(data ?? [], { hours, name }), [data, hours, name])
  const loadError = errorWithoutData({ data, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!data) return <PanelSkeleton label="Loading your best hours" contentHeight="13rem" />
  // TopPostsPanel already shows the empty state.
  if (cells.length === 0 && !isUpdating) return null
  const weekdayBars = averageByWeekday(cells).map((value, index) => ({ name: weekdays[index] ?? '', value }))
  return (
    <PanelStack>
      <Panel
        title="Best hours"
        note={peakHourText(cells) ?? 'No views before today to tell from yet.'}
        isUpdating={isUpdating}
      >
        <HourHeatmap
          label={`Average views by weekday and hour (${name})`}
          cells={cells}
          format={(value) => `${formatAverage(value)} views on average`}
          formatPlain={formatAverage}
          hint={`Averages without today, in ${name}. The stronger the colour, the more views.`}
        />
      </Panel>
      {cells.some(({ value }) => value > 0) && (
        <Panel
          title="Best days"
          note={`Average views of each weekday, over the ${periodLength(request.period)} before today`}
          isUpdating={isUpdating}
        >
          <BarChart
            label={`Average views by weekday (${name})`}
            head={['Weekday', 'Average views']}
            bars={weekdayBars}
            format={formatAverage}
          />
        </Panel>
      )}
    </PanelStack>
  )
}
