import { Box, chakra } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
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
import { toast } from '@/ui/toaster'
import { UserRow } from '@/ui/UserRow'
import { userTextParagraphs } from '@/ui/UserText'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { searchTerm, searchUsersQuery } from '../api'

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

/** The link to the profile. It covers the whole row except for the action. */
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

/** Renders the action beside a result, which belongs to another feature. */
type RenderAction = (user: User) => ReactNode

/** Shows `/search?q=`: a search form and the matching users. */
export default function SearchPage({ action }: { action: RenderAction }) {
  const [params] = useSearchParams()
  const term = searchTerm(params.get('q') ?? '')
  useDocumentTitle(term ? t`Search: ${term}` : t`Search`)
  return (
    <>
      <PageHeader title={t`Search`} />
      <SearchForm term={term} />
      <Card marginTop="4" overflow="hidden">
        {term ? (
          <Results term={term} action={action} />
        ) : (
          <EmptyState
            illustration={<SearchIllustration />}
            title={t`Search for Users`}
            text={t`Enter a name or username to find people.`}
          />
        )}
      </Card>
    </>
  )
}

/** Shows the search form. Narrow screens have no search box in the header. */
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
    if (nextTerm) setParams({ q: nextTerm })
  }
  return (
    <search aria-label={t`People`}>
      <chakra.form display="flex" gap="2" paddingInline={{ base: '4', md: '0' }} onSubmit={submit}>
        <Input
          type="search"
          aria-label={t`Name or username`}
          placeholder={t`Name or username`}
          autoComplete="off"
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

function Results({ term, action }: { term: string; action: RenderAction }) {
  const search = useInfiniteQuery(searchUsersQuery(term))
  // The header search may refetch the same results. Its failures are not shown.
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
            hasMore={search.hasNextPage}
            failed={search.isFetchNextPageError}
            loading={search.isFetchingNextPage}
            onLoadMore={search.fetchNextPage}
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
