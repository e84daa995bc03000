import { Box } from '@chakra-ui/react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { StageDrawing } from '@/ui/drawings'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { discoverQuery } from '../api/lists'
import { PostList } from '../components/PostList'

/** `/discover`: what others posted who let theirs be discovered. */
export default function DiscoverPage() {
  useDocumentTitle('Discover')
  return (
    <>
      <PageHeader
        title="Discover"
        action={
          <ButtonLink to={paths.creators.getHref()} variant="link" paddingInline="0">
            View All Creators
          </ButtonLink>
        }
      />
      <Box as="h2" textStyle="title" paddingInline={{ base: '4', md: '1' }} paddingBlock="2">
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
    </>
  )
}
