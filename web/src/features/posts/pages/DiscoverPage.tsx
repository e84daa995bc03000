import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { StageDrawing } from '@/ui/drawings'
import { PageHeader } from '@/ui/layout'
import { Rail } from '@/ui/Rail'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useFromWidth } from '@/ui/useFromWidth'
import { discoverQuery } from '../api/lists'
import { PostList } from '../components/PostList'
import { TrendingTopics } from '../components/TrendingTopics'

/**
 * `/discover`: what is talked about, whom to follow, and what others posted who let theirs be discovered. `creators`
 * draws the people: they belong to another feature.
 */
export default function DiscoverPage({ creators }: { creators: ReactNode }) {
  useDocumentTitle('Discover')
  const hasRail = useFromWidth('xl')
  return (
    <Box>
      <PageHeader title="Discover" />
      {hasRail ? (
        <Rail>
          <TrendingTopics as="rows" />
        </Rail>
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
            drawing={<StageDrawing />}
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
