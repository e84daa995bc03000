import { Box } from '@chakra-ui/react'
import { Tag } from '@contract/discover.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { CurtainIllustration, StageIllustration } from '@/ui/illustrations'
import { Card, PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { topicQuery } from '../api/posts'
import { PostList } from '../components/PostList'

/** Shows `/topic/:tag`, the posts with a hashtag. Visitors can open it too. */
export default function TopicPage() {
  const { tag: tagParam = '' } = useParams()
  const tag = Tag.safeParse(tagParam)
  // The key resets the component's state when the tag changes.
  return tag.success ? <Topic key={tag.data} tag={tag.data} /> : <InvalidTopic />
}

function Topic({ tag }: { tag: string }) {
  const title = `#${tag}`
  useDocumentTitle(title)
  return (
    <Box>
      <PageHeader title={<bdi>{title}</bdi>} />
      <PostList
        query={topicQuery(tag)}
        empty={
          <EmptyState
            illustration={<StageIllustration />}
            title={t`No posts yet`}
            text={
              <Trans>
                Posts with <bdi>{title}</bdi> will appear here.
              </Trans>
            }
            action={<HomeOrDiscoverLink />}
          />
        }
      />
    </Box>
  )
}

/** Shown if the URL contains no valid hashtag. */
function InvalidTopic() {
  useDocumentTitle(t`Topic not found`)
  return (
    <Card>
      <EmptyState
        as="h1"
        illustration={<CurtainIllustration />}
        title={t`Topic not found`}
        text={t`Hashtags can only contain letters, numbers and underscores, and need at least one letter.`}
        action={<HomeOrDiscoverLink />}
      />
    </Card>
  )
}

function HomeOrDiscoverLink() {
  const { isAuthenticated } = useCurrentUser()
  return isAuthenticated ? (
    <ButtonLink to={paths.discover.getHref()} variant="ember">
      <Trans>Explore posts</Trans>
    </ButtonLink>
  ) : (
    <ButtonLink to={paths.home.getHref()} variant="ember">
      <Trans>Back to home</Trans>
    </ButtonLink>
  )
}
