import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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

/** Shows `/saved`. Posts that the user unsaves stay until the user leaves the page, so that a mistake can be undone. */
export default function SavedPage() {
  useDocumentTitle(t`Saved Posts`)
  const client = useQueryClient()
  useEffect(() => () => pruneSavedPosts(client), [client])
  return (
    <Box>
      <PageHeader title={t`Saved Posts`} />
      <PostList
        query={savedQuery}
        loadMoreLabel={t`Load More Saved Posts`}
        empty={
          <EmptyState
            illustration={<StageIllustration />}
            title={t`No saved posts yet`}
            text={t`Save a post and you'll find it here.`}
            action={
              <ButtonLink to={paths.discover.getHref()} variant="ember">
                <Trans>Explore posts</Trans>
              </ButtonLink>
            }
          />
        }
      />
    </Box>
  )
}
