import { Box } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { StageDrawing } from '@/ui/drawings'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { savedQuery } from '../api/lists'
import { settleSaved } from '../api/save'
import { PostList } from '../components/PostList'

/** `/saved`. What is taken back here stays until one leaves, so that a slip can be undone. */
export default function SavedPage() {
  useDocumentTitle('Saved Posts')
  const client = useQueryClient()
  useEffect(() => () => settleSaved(client), [client])
  return (
    <Box>
      <PageHeader title="Saved Posts" />
      <PostList
        query={savedQuery}
        moreByHand="Load More Saved Posts"
        empty={
          <EmptyState
            drawing={<StageDrawing />}
            title="No saved posts yet"
            text="Save a post to find it here again."
            action={
              <ButtonLink to={paths.discover.getHref()} variant="ember">
                Explore Posts
              </ButtonLink>
            }
          />
        }
      />
    </Box>
  )
}
