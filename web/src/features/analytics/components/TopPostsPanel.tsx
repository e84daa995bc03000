import { Box, chakra } from '@chakra-ui/react'
import { periodDays, type TopPost } from '@contract/analytics.ts'
import { plural, t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { dateFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LockIcon } from '@/ui/icons'
import { StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { topPostsQuery, useAnalyticsRequest } from '../api'
import { errorWithoutData, Panel, PanelError, PanelSkeleton } from './Panel'

/** Shows the posts with the most views in the period: at most `limit`, by default all that the server returns. */
export function TopPostsPanel({ limit, action }: { limit?: number; action?: ReactNode }) {
  const request = useAnalyticsRequest()
  const { data: posts, error, isPlaceholderData: isUpdating, refetch } = useQuery(topPostsQuery(request))
  const loadError = errorWithoutData({ data: posts, error })
  if (loadError) return <PanelError error={loadError} onRetry={() => void refetch()} />
  if (!posts) return <PanelSkeleton label={t`Loading your best posts`} />
  const days = periodDays[request.period]
  if (posts.length === 0 && !isUpdating) {
    return (
      <Card inset>
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
      action={action}
      isUpdating={isUpdating}
    >
      <Box as="ol" display="grid">
        {posts.slice(0, limit).map((post, index) => (
          <TopPostRow key={post.id} post={post} rank={index + 1} isShort={limit !== undefined} />
        ))}
      </Box>
    </Panel>
  )
}

function TopPostRow({ post, rank, isShort }: { post: TopPost; rank: number; isShort: boolean }) {
  const { viewCount, likeCount, commentCount } = post
  return (
    <Box
      as="li"
      display="flex"
      gap="3"
      paddingBlock="3"
      borderTopWidth="1px"
      minWidth="0"
      _first={{ borderTopWidth: '0', paddingTop: '0' }}
      _last={{ paddingBottom: '0' }}
    >
      {/* Screen readers count the items of the list. */}
      <Box aria-hidden width="5" flexShrink={0} color="muted" fontVariantNumeric="tabular-nums">
        {rank}
      </Box>
      <Box flex="1" minWidth="0">
        <PostLink to={paths.post.getHref(post.id)} lineClamp={{ base: 2, md: isShort ? 1 : 2 }}>
          {post.content.trim() || t`Photo or video post`}
        </PostLink>
        <Box
          display="flex"
          flexWrap="wrap"
          alignItems="baseline"
          columnGap="3"
          textStyle="small"
          color="muted"
          fontVariantNumeric="tabular-nums"
          marginTop="0.5"
        >
          {/* On wide screens, a column of its own at the end. */}
          <Box
            textStyle={{ base: 'small', md: 'label' }}
            fontWeight="semibold"
            color="text"
            order={{ md: 1 }}
            marginInlineStart={{ md: 'auto' }}
          >
            <Plural value={viewCount} one="# view" other="# views" />
          </Box>
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
          <span>{dateFormat({ dateStyle: 'medium' }).format(new Date(post.createdAt))}</span>
          <span>
            <Plural value={likeCount} one="# like" other="# likes" />
          </span>
          <span>
            <Plural value={commentCount} one="# comment" other="# comments" />
          </span>
        </Box>
      </Box>
    </Box>
  )
}

const PostLink = chakra(Link, {
  base: {
    overflowWrap: 'anywhere',
    borderRadius: 'xs',
    _hover: { textDecoration: 'underline', textUnderlineOffset: '0.2em' },
  },
})
