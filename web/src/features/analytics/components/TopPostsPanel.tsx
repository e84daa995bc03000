import { Box, chakra } from '@chakra-ui/react'
import type { TopPost } from '@contract/analytics.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { longDate } from '@/lib/format'
import { paths } from '@/paths'
import { StageDrawing } from '@/ui/drawings'
import { LockIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { topPostsQuery } from '../api/figures'
import { lengthOf } from '../period'
import { useAsked } from '../useAsked'
import { counted } from '../words'
import { failureOf } from './NotNew'
import { Panel } from './Panel'
import { PanelFailed } from './PanelFailed'
import { PanelSkeleton } from './PanelSkeleton'

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
  const asked = useAsked()
  const { data: posts, error, isPlaceholderData: pale, refetch } = useQuery(topPostsQuery(asked))
  const failure = failureOf({ data: posts, error })
  if (failure) return <PanelFailed error={failure} onRetry={() => void refetch()} />
  if (!posts) return <PanelSkeleton label="Loading your best posts" />
  if (posts.length === 0 && !pale) {
    return (
      <Card>
        <EmptyState
          drawing={<StageDrawing />}
          title="No post was seen"
          text={`In the last ${lengthOf(asked.period)} nobody had one of your posts on their screen.`}
        />
      </Card>
    )
  }
  return (
    <Panel title="Best posts" note={`Most views in the last ${lengthOf(asked.period)}`} pale={pale}>
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
        <Box textStyle="label">{counted(post.viewCount, 'view')}</Box>
        <Box textStyle="small" color="muted">
          {counted(post.likeCount, 'like')}
        </Box>
        <Box textStyle="small" color="muted">
          {counted(post.commentCount, 'comment')}
        </Box>
      </Box>
    </Box>
  )
}
