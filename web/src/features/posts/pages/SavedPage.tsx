import { Box } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { pruneSavedPosts } from '../api/post-actions'
import { savedQuery } from '../api/posts'
import { PostList } from '../components/PostList'

/** Shows `/saved`. Unsaved posts stay until the user leaves the page, so that a mistake can be undone. */
export default function SavedPage() {
  useDocumentTitle('Saved Posts')
  const client = useQueryClient()
  useEffect(() => () => pruneSavedPosts(client), [client])
  return (
    <Box>
      <PageHeader title="Saved Posts" />
      <PostList
        query={savedQuery}
        loadMoreLabel="Load More Saved Posts"
        empty={
          <EmptyState
            illustration={<StageIllustration />}
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
