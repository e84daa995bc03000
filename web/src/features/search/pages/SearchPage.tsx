import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { User } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { Input } from '@/ui/Field'
import { SearchIllustration } from '@/ui/illustrations'
import { LoadMore } from '@/ui/LoadMore'
import { Card, PageHeader } from '@/ui/layout'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { Tabs } from '@/ui/Tabs'
import { toast } from '@/ui/toaster'
import { UserRow } from '@/ui/UserRow'
import { userTextParagraphs } from '@/ui/UserText'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { searchTerm, searchTopicsQuery, searchUsersQuery } from '../api'

const Row = chakra('li', {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: '4',
    paddingInline: { base: '4', md: '5' },
    paddingBlock: '3.5',
    borderBottomWidth: '1px',
    _hover: { bg: 'hover' },
  },
})

/** The link to a profile or topic. It covers the whole row except for the action. */
const ResultLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '4',
    flex: '1',
    minWidth: '0',
    _after: { content: '""', position: 'absolute', inset: '0' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
    },
  },
})

/** Renders the action beside a result. The action belongs to another feature. */
type RenderAction = (user: User) => ReactNode

/** Renders the posts that match a term. Posts belong to another feature. */
type RenderPosts = (term: string) => ReactNode

const tabs = ['people', 'posts', 'topics'] as const
type Tab = (typeof tabs)[number]

/** Shows `/search?q=&tab=`: a search form, and the matching people, posts or topics. */
export default function SearchPage({ action, posts }: { action: RenderAction; posts: RenderPosts }) {
  const [params, setParams] = useSearchParams()
  const term = searchTerm(params.get('q') ?? '')
  const selectedTab = tabs.find((tab) => tab === params.get('tab')) ?? 'people'
  useDocumentTitle(term ? t`Search: ${term}` : t`Search`)
  return (
    <Box>
      <PageHeader title={t`Search`} />
      <SearchForm term={term} tab={selectedTab} />
      <Box marginTop="2">
        <Tabs
          label={t`Results`}
          value={selectedTab}
          // Synchronous, so that the next key press starts from the new tab.
          onChange={(tab) => setParams(searchParams(term, tab), { replace: true, flushSync: true })}
          tabs={[
            {
              value: 'people',
              label: t`People`,
              content: (
                <Card overflow="hidden">
                  {term ? (
                    <People term={term} action={action} />
                  ) : (
                    <Start title={t`Search for Users`} text={t`Enter a name or username to find people.`} />
                  )}
                </Card>
              ),
            },
            {
              value: 'posts',
              label: t`Posts`,
              content: term ? (
                posts(term)
              ) : (
                <Card>
                  <Start
                    title={t`Search for posts`}
                    text={t`Enter words to find the posts that contain them.`}
                  />
                </Card>
              ),
            },
            {
              value: 'topics',
              label: t`Topics`,
              content: (
                <Card overflow="hidden">
                  {term ? (
                    <Topics term={term} />
                  ) : (
                    <Start title={t`Search for topics`} text={t`Enter a hashtag or a part of one.`} />
                  )}
                </Card>
              ),
            },
          ]}
        />
      </Box>
    </Box>
  )
}

/** Returns the query parameters of the page's URL. The first tab is the default and is omitted. */
function searchParams(term: string, tab: string): Record<string, string> {
  return { ...(term && { q: term }), ...(tab !== tabs[0] && { tab }) }
}

/** Shown before the first search. */
function Start({ title, text }: { title: string; text: string }) {
  return <EmptyState illustration={<SearchIllustration />} title={title} text={text} />
}

/** Shows the search form. Narrow screens have no search box in the header. */
function SearchForm({ term, tab }: { term: string; tab: Tab }) {
  const [, setParams] = useSearchParams()
  const [input, setInput] = useState(term)
  // Updates the input when the URL changes, for example on back navigation, without moving the focus.
  const [previousTerm, setPreviousTerm] = useState(term)
  if (previousTerm !== term) {
    setPreviousTerm(term)
    setInput(term)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const nextTerm = searchTerm(input)
    if (nextTerm) setParams(searchParams(nextTerm, tab))
  }
  return (
    <search aria-label={t`Search`}>
      <chakra.form display="flex" gap="2" paddingInline={{ base: '4', md: '0' }} onSubmit={submit}>
        <Input
          type="search"
          aria-label={t`People, posts and topics`}
          placeholder={t`People, posts and topics`}
          autoComplete="off"
          maxLength={limits.searchQuery.max}
          autoFocus={!term}
          value={input}
          onChange={(event) => setInput(event.target.value)}
        />
        <Button type="submit" variant="ember" minHeight="12">
          {t({ message: 'Search', context: 'verb' })}
        </Button>
      </chakra.form>
    </search>
  )
}

function People({ term, action }: { term: string; action: RenderAction }) {
  const search = useInfiniteQuery(searchUsersQuery(term))
  // A refetch may come from the header search, which uses the same query. Its failure is not shown.
  const hasFailed = search.isError && !search.isRefetchError
  useEffect(() => {
    if (hasFailed) toast({ title: t`Search failed`, tone: 'destructive' })
  }, [hasFailed])
  if (search.isPending) return <ResultsSkeleton />
  if (!search.data) {
    return (
      <ErrorState
        title={t`Search failed`}
        message={t`Check your connection and try again.`}
        onRetry={() => void search.refetch()}
      />
    )
  }
  const users = search.data.pages.flatMap((page) => page.items)
  if (users.length === 0) {
    return (
      <div role="status">
        <EmptyState
          illustration={<SearchIllustration />}
          title={t`No Users Found`}
          text={
            <Trans>
              No users found for "<bdi>{term}</bdi>". Try searching with different keywords.
            </Trans>
          }
        />
      </div>
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {users.map((user) => (
          <Result key={user.id} user={user} action={action} />
        ))}
      </Box>
      <Box role="status" padding="4" textAlign="center" textStyle="small" color="muted">
        {resultCountText(users.length, search.hasNextPage)}
      </Box>
      {search.hasNextPage && (
        <Box marginTop="-6">
          <LoadMore
            list={search}
            label={t`Show more people`}
            failedLabel={t`Couldn't load more people. Try again`}
          />
        </Box>
      )}
    </>
  )
}

/** Returns the number of loaded results, marked with a plus sign if there are more. */
function resultCountText(count: number, hasMore: boolean): string {
  const shownCount = formatCount(count)
  if (hasMore) return t`Found ${shownCount}+ users`
  return t`${plural(count, { one: 'Found # user', other: 'Found # users' })}`
}

function Result({ user, action }: { user: User; action: RenderAction }) {
  return (
    <Row>
      <ResultLink to={paths.profile.getHref(user.handle)}>
        <UserRow user={user} badge={user.isCreator && <Badge tone="ember">{t`Creator`}</Badge>}>
          {user.bio && (
            <Box
              textStyle="small"
              marginTop="1"
              lineClamp="2"
              overflowWrap="anywhere"
              {...userTextParagraphs}
            >
              {user.bio}
            </Box>
          )}
        </UserRow>
      </ResultLink>
      <Box position="relative" flexShrink="0">
        {action(user)}
      </Box>
    </Row>
  )
}

function Topics({ term }: { term: string }) {
  const search = useQuery(searchTopicsQuery(term))
  if (search.isPending) return <ResultsSkeleton />
  if (!search.data) {
    return (
      <ErrorState
        title={t`Search failed`}
        message={t`Check your connection and try again.`}
        onRetry={() => void search.refetch()}
      />
    )
  }
  if (search.data.length === 0) {
    return (
      <div role="status">
        <EmptyState
          illustration={<SearchIllustration />}
          title={t`No topics found`}
          text={
            <Trans>
              No topics found for "<bdi>{term}</bdi>". Topics are the hashtags in posts.
            </Trans>
          }
        />
      </div>
    )
  }
  return (
    <Box as="ul" listStyleType="none">
      {search.data.map(({ tag, posts }) => (
        <Row key={tag}>
          <ResultLink to={paths.topic.getHref(tag)}>
            <Box minWidth="0">
              <Box textStyle="label" truncate>
                <bdi>#{tag}</bdi>
              </Box>
              <Box textStyle="small" color="muted">
                {postCountText(posts)}
              </Box>
            </Box>
          </ResultLink>
        </Row>
      ))}
    </Box>
  )
}

function postCountText(count: number): string {
  if (count >= limits.topicPostsCountCap) return t`${limits.topicPostsCountCap}+ posts`
  return t`${plural(count, { one: '# post', other: '# posts' })}`
}

function ResultsSkeleton() {
  return (
    <Box role="status" padding="5">
      <Box textStyle="small" color="muted" marginBottom="4">
        {t`Searching...`}
      </Box>
      {['first', 'second', 'third'].map((row) => (
        <Box key={row} display="flex" gap="4" alignItems="center" paddingBlock="3">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton width="35%" height="3.5" />
            <Skeleton width="20%" height="3" marginTop="2" />
          </Box>
        </Box>
      ))}
    </Box>
  )
}
