import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { SearchIcon } from '@/ui/icons'
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
 * Shows `/discover`: trending topics, featured creators, and recent posts by users who allow their posts to be
 * discovered. The app provides `creators`, because users belong to another feature.
 */
export default function DiscoverPage({ creators }: { creators: ReactNode }) {
  useDocumentTitle(t`Discover`)
  const hasSidebar = useMinWidth('xl')
  return (
    <Box>
      <PageHeader title={t`Discover`} />
      {/* Wider screens have a search box in the header. */}
      <ButtonLink
        to={paths.search.getHref()}
        display={{ base: 'flex', md: 'none' }}
        justifyContent="flex-start"
        marginInline="4"
        marginBottom="4"
        paddingInline="3.5"
        bg="sunken"
        color="muted"
        fontWeight="normal"
      >
        <Box as="span" fontSize="lg">
          <SearchIcon />
        </Box>
        {t`Search people, posts and topics`}
      </ButtonLink>
      {hasSidebar ? (
        <RightSidebar>
          <TrendingTopics variant="rows" />
        </RightSidebar>
      ) : (
        <TrendingTopics variant="chips" />
      )}
      {creators}
      <Box as="h2" textStyle="title" paddingInline={{ base: '4', md: '0' }} paddingBottom="3">
        <Trans>Recent Posts</Trans>
      </Box>
      <PostList
        query={discoverQuery}
        empty={
          <EmptyState
            as="h3"
            illustration={<StageIllustration />}
            title={t`No posts to discover yet`}
            action={
              <ButtonLink to={paths.home.getHref()} variant="ember">
                <Trans>Back to home</Trans>
              </ButtonLink>
            }
          />
        }
      />
    </Box>
  )
}
