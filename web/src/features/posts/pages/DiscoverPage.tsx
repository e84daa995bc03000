import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { PageHeader } from '@/ui/layout'
import { RightSidebar } from '@/ui/RightSidebar'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useMinWidth } from '@/ui/useMinWidth'
import { discoverQuery } from '../api/posts'
import { PostList } from '../components/PostList'
import { TrendingTopics } from '../components/TrendingTopics'

/**
 * `/discover`: what is talked about, whom to follow, and what others posted who let theirs be discovered. `creators`
 * draws the people: they belong to another feature.
 */
export default function DiscoverPage({ creators }: { creators: ReactNode }) {
  useDocumentTitle('Discover')
  const hasRail = useMinWidth('xl')
  return (
    <Box>
      <PageHeader title="Discover" />
      {hasRail ? (
        <RightSidebar>
          <TrendingTopics as="rows" />
        </RightSidebar>
      ) : (
        <TrendingTopics as="chips" />
      )}
      {creators}
      <Box as="h2" textStyle="title" paddingInline={{ base: '4', md: '1' }} paddingBottom="3">
        Recent Posts
      </Box>
      <PostList
        query={discoverQuery}
        empty={
          <EmptyState
            as="h3"
            drawing={<StageIllustration />}
            title="No posts to discover yet"
            action={
              <ButtonLink to={paths.home.getHref()} variant="ember">
                Back to Home
              </ButtonLink>
            }
          />
        }
      />
    </Box>
  )
}
