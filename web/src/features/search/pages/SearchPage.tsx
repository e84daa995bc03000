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
import { countPages, firstTab, type ResultCount, type Tab, tabs, tabWithResults } from '../tabs'

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

/**
 * Renders the posts that match a term. Posts belong to another feature.
 *
 * @param emptyAction shown if no posts match
 */
type RenderPosts = (term: string, emptyAction: ReactNode) => ReactNode

/**
 * Shows `/search?q=&tab=`: the matching people, posts and topics and, on narrow screens, a search form. If the URL
 * names no tab, the first one with results opens.
 *
 * @param postCount how many posts match the term in the URL
 */
export default function SearchPage({
  action,
  posts,
  postCount,
}: {
  action: RenderAction
  posts: RenderPosts
  postCount: ResultCount
}) {
  const [params, setParams] = useSearchParams()
  const term = searchTerm(params.get('q') ?? '')
  const people = useInfiniteQuery(searchUsersQuery(term))
  const topics = useQuery(searchTopicsQuery(term))
  const counts = {
    people: countPages(people),
    posts: postCount,
    topics: {
      isPending: topics.isPending,
      count: topics.data?.length,
      // The API returns one page.
      hasMore: topics.data?.length === limits.page.topics,
    },
  }
  const tabInUrl = tabs.find((tab) => tab === params.get('tab'))
  // Kept for the term, so that no other tab opens when results are refetched.
  const [opened, setOpened] = useState<{ term: string; tab: Tab }>()
  const tabToOpen = firstTab(counts)
  if (tabToOpen && opened?.term !== term) setOpened({ term, tab: tabToOpen })
  const openedTab = opened?.term === term ? opened.tab : undefined
  const selectedTab = tabInUrl ?? openedTab ?? tabs[0]
  useDocumentTitle(term ? t`Search: ${term}` : t`Search`)
  // Synchronous, so that the next key press starts from the new tab.
  const selectTab = (tab: string) => setParams(searchParams(term, tab), { replace: true, flushSync: true })
  const otherTab = tabWithResults(counts)
  const emptyAction = otherTab && <OtherTabButton tab={otherTab} onSelect={selectTab} />
  return (
    <Box>
      <PageHeader title={t`Search`} />
      <SearchForm term={term} />
      <Box marginTop={{ base: '2', md: '0' }}>
        <Tabs
          label={t`Results`}
          value={selectedTab}
          onChange={selectTab}
          tabs={[
            {
              value: 'people',
              label: <TabLabel name={t`People`} results={counts.people} />,
              content: (
                <Card overflow="hidden">
                  {term && !tabInUrl && !openedTab ? (
                    <ResultsSkeleton />
                  ) : term ? (
                    <People term={term} action={action} emptyAction={emptyAction} />
                  ) : (
                    <Start title={t`Search for Users`} text={t`Enter a name or username to find people.`} />
                  )}
                </Card>
              ),
            },
            {
              value: 'posts',
              label: <TabLabel name={t`Posts`} results={counts.posts} />,
              content: term ? (
                posts(term, emptyAction)
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
              label: <TabLabel name={t`Topics`} results={counts.topics} />,
              content: (
                <Card overflow="hidden">
                  {term ? (
                    <Topics term={term} emptyAction={emptyAction} />
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

/** Returns the query parameters of the page's URL. */
function searchParams(term: string, tab: string | undefined): Record<string, string> {
  return { ...(term && { q: term }), ...(tab && { tab }) }
}

/** Shows a tab's name and, as soon as it is known, the number of its results, without moving the other tabs. */
function TabLabel({ name, results: { count, hasMore } }: { name: string; results: ResultCount }) {
  return (
    <>
      {name}{' '}
      <Box
        as="span"
        display="inline-block"
        minWidth="3ch"
        textAlign="start"
        marginInlineStart="0.5"
        fontWeight="normal"
        fontVariantNumeric="tabular-nums"
      >
        {count !== undefined && (hasMore ? `${formatCount(count)}+` : formatCount(count))}
      </Box>
    </>
  )
}

/** Opens the tab that has results, for the other tabs' empty states. */
function OtherTabButton({ tab, onSelect }: { tab: Tab; onSelect: (tab: Tab) => void }) {
  const labels = { people: t`See people`, posts: t`See posts`, topics: t`See topics` }
  return (
    <Button
      variant="outline"
      onClick={() => {
        onSelect(tab)
        // The button is gone.
        document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
      }}
    >
      {labels[tab]}
    </Button>
  )
}

/** Shown before the first search. */
function Start({ title, text }: { title: string; text: string }) {
  return <EmptyState illustration={<SearchIllustration />} title={title} text={text} />
}

/** Shows the search form on narrow screens, which have no search box in the header. */
function SearchForm({ term }: { term: string }) {
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
    if (nextTerm) setParams(searchParams(nextTerm, undefined))
  }
  return (
    <Box as="search" aria-label={t`Search`} hideFrom="md">
      <chakra.form display="flex" gap="2" paddingInline="4" onSubmit={submit}>
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
    </Box>
  )
}

function People({
  term,
  action,
  emptyAction,
}: {
  term: string
  action: RenderAction
  emptyAction: ReactNode
}) {
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
          action={emptyAction}
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

function Topics({ term, emptyAction }: { term: string; emptyAction: ReactNode }) {
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
          action={emptyAction}
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
