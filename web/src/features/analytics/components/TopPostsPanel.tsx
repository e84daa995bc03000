import { Box, chakra } from '@chakra-ui/react'
import type { TopPost } from '@contract/analytics.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { longDate } from '@/lib/format'
import { paths } from '@/lib/paths'
import { LockIcon } from '@/ui/icons'
import { StageIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { topPostsQuery } from '../api'
import { pluralize } from '../model'
import { periodLength } from '../period'
import { useAnalyticsRequest } from '../useAnalyticsRequest'
import { Panel } from './Panel'
import { PanelError } from './PanelError'
import { PanelSkeleton } from './PanelSkeleton'
import { errorWithoutData } from './StaleDataNotice'

const PostLink = chakra(Link, {
  base: {
    lineClamp: 2,
    overflowWrap: 'anywhere',
    borderRadius: 'xs',
    _hover: { textDecoration: 'underline', textUnderlineOffset: '0.2em' },
  },
})

/** The posts with the most views in the period. */
export function TopPostsPanel() {
  const asked = useAnalyticsRequest()
  const { data: posts, error, isPlaceholderData: pale, refetch } = useQuery(topPostsQuery(asked))
  const failure = errorWithoutData({ data: posts, error })
  if (failure) return <PanelError error={failure} onRetry={() => void refetch()} />
  if (!posts) return <PanelSkeleton label="Loading your best posts" />
  if (posts.length === 0 && !pale) {
    return (
      <Card>
        <EmptyState
          drawing={<StageIllustration />}
          title="No post was seen"
          text={`In the last ${periodLength(asked.period)} nobody had one of your posts on their screen.`}
        />
      </Card>
    )
  }
  return (
    <Panel title="Best posts" note={`Most views in the last ${periodLength(asked.period)}`} pale={pale}>
      <Box as="ol" display="grid">
        {posts.map((post) => (
          <Row key={post.id} post={post} />
        ))}
      </Box>
    </Panel>
  )
}

function Row({ post }: { post: TopPost }) {
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
