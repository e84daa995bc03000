import { Box } from '@chakra-ui/react'
import { Tag } from '@contract/discover.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { PageHeader } from '@/ui/layout'
import { SegmentedControl } from '@/ui/SegmentedControl'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { discoverQuery, followedIdsQuery } from '../api/posts'
import { PostGrid } from '../components/PostGrid'
import { TrendingTopics } from '../components/TrendingTopics'

/**
 * Shows `/discover`: trending topics, featured creators, and posts by users who allow their posts to be discovered. The
 * most popular posts come first or, with `?sort=latest`, the newest ones. With `?topic=`, shows only posts with that
 * hashtag, and no creators. On each page of the list, posts by users whom the viewer follows come last. The app
 * provides `creators`, because users belong to another feature.
 */
export default function DiscoverPage({ creators }: { creators: ReactNode }) {
  useDocumentTitle(t`Discover`)
  const [params, setParams] = useSearchParams()
  const topic = Tag.safeParse(params.get('topic')).data
  const isLatest = params.get('sort') === 'latest'
  const getHref = (tag?: string) => paths.discover.getHref(tag, isLatest ? 'latest' : undefined)
  const followed = useQuery(followedIdsQuery)
  const followedIds = useMemo(() => new Set(followed.data), [followed.data])
  return (
    <Box>
      <PageHeader title={t`Discover`} />
      <TrendingTopics selected={topic} getHref={getHref} />
      {!topic && creators}
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        gap="2"
        paddingInline={{ base: '4', md: '0' }}
        paddingBottom="3"
      >
        <Box as="h2" textStyle="title" minWidth="0" overflowWrap="anywhere">
          {topic ? <bdi>#{topic}</bdi> : <Trans>Recent Posts</Trans>}
        </Box>
        <SegmentedControl
          label={t`Sort posts`}
          options={[
            { value: 'popular', label: t`Popular` },
            { value: 'latest', label: t`Newest` },
          ]}
          value={isLatest ? 'latest' : 'popular'}
          onChange={(sort) =>
            setParams(
              { ...(topic && { topic }), ...(sort === 'latest' && { sort }) },
              { replace: true, preventScrollReset: true },
            )
          }
        />
      </Box>
      <PostGrid
        // The key resets the state of the list when the topic or the order changes.
        key={getHref(topic)}
        query={discoverQuery(topic, isLatest ? 'latest' : 'popular')}
        lastAuthors={followedIds}
        isLoading={followed.isPending}
        empty={
          <EmptyState
            as="h3"
            illustration={<StageIllustration />}
            title={topic ? t`No posts yet` : t`No posts to discover yet`}
            action={
              topic ? (
                <ButtonLink to={getHref()} variant="ember">
                  <Trans>Show all posts</Trans>
                </ButtonLink>
              ) : (
                <ButtonLink to={paths.home.getHref()} variant="ember">
                  <Trans>Back to home</Trans>
                </ButtonLink>
              )
            }
          />
        }
      />
    </Box>
  )
}
