import { Box } from '@chakra-ui/react'
import { Tag } from '@contract/discover.ts'
import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useParams } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { PinIcon } from '@/ui/icons'
import { CurtainIllustration, StageIllustration } from '@/ui/illustrations'
import { Card, PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { useSaveHomeTabs } from '../api/home-tabs'
import { topicQuery } from '../api/posts'
import { PostList } from '../components/PostList'
import { shownTabs } from '../home-tabs'

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
  const { user } = useCurrentUser()
  return (
    <Box>
      <PageHeader title={<bdi>{title}</bdi>} action={user && <PinButton user={user} tab={title} />} />
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

/** Pins the topic to the home feed as a tab, or removes the tab. */
function PinButton({ user, tab }: { user: OwnUser; tab: string }) {
  const saveTabs = useSaveHomeTabs(user)
  const tabs = shownTabs(user)
  const isPinned = tabs.includes(tab)
  const toggle = () => {
    const max = limits.homeTabs
    if (!isPinned && tabs.length >= max) {
      toast({
        title: t`You can pin up to ${max} tabs`,
        description: t`Remove a tab from your home feed first.`,
        tone: 'destructive',
      })
      return
    }
    const change = (pinned: string[]) => [
      ...pinned.filter((other) => other !== tab),
      ...(isPinned ? [] : [tab]),
    ]
    saveTabs.mutate(change, {
      onSuccess: () =>
        toast({ title: isPinned ? t`Removed from your home feed` : t`Pinned to your home feed` }),
    })
  }
  return (
    <Button size="sm" variant="outline" pending={saveTabs.isPending} onClick={toggle}>
      <PinIcon /> {isPinned ? <Trans>Unpin from home</Trans> : <Trans>Pin to home</Trans>}
    </Button>
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
