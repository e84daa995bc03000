import { Box, chakra } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { isUnauthorized } from '@/lib/api'
import { paths } from '@/lib/paths'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { Input } from '@/ui/Field'
import { LampIllustration } from '@/ui/illustrations'
import { LoadMore } from '@/ui/LoadMore'
import { Card, PageHeader } from '@/ui/layout'
import { Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { toast } from '@/ui/toaster'
import { UserRow } from '@/ui/UserRow'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { userTextParagraphs } from '@/ui/user-text-styles'
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

/** The whole row leads to the profile, except for the button on it. */
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

/** What stands beside somebody who was found; it belongs to another feature. */
type Action = (person: User) => ReactNode

/** `/search?q=`: everybody who matches. */
export default function SearchPage({ action }: { action: Action }) {
  const [params] = useSearchParams()
  const term = searchTerm(params.get('q') ?? '')
  useDocumentTitle(term ? `Search: ${term}` : 'Search')
  return (
    <>
      <PageHeader title="Search" />
      <SearchForm term={term} />
      <Card marginTop="4" overflow="hidden">
        {term ? (
          <Results term={term} action={action} />
        ) : (
          <EmptyState
            drawing={<LampIllustration />}
            title="Search for Users"
            text="Type a name or a username to find people."
          />
        )}
      </Card>
    </>
  )
}

/** The header's box is for wide screens only; this one is for every screen. */
function SearchForm({ term }: { term: string }) {
  const [, setParams] = useSearchParams()
  const [typed, setTyped] = useState(term)
  // Another address, as by the browser's back, fills the box anew; the focus stays where it is.
  const [searched, setSearched] = useState(term)
  if (searched !== term) {
    setSearched(term)
    setTyped(term)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = searchTerm(typed)
    if (next) setParams({ q: next })
  }
  return (
    <search aria-label="People">
      <chakra.form display="flex" gap="2" paddingInline={{ base: '4', md: '0' }} onSubmit={submit}>
        <Input
          type="search"
          aria-label="Name or username"
          placeholder="Name or username"
          autoComplete="off"
          autoFocus={!term}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" variant="ember" minHeight="12">
          Search
        </Button>
      </chakra.form>
    </search>
  )
}

function Results({ term, action }: { term: string; action: Action }) {
  const search = useInfiniteQuery(searchUsersQuery(term))
  // Who is signed out is told so, and led away from here.
  const signedOut = isUnauthorized(search.error)
  const failed = search.isError && !signedOut
  useEffect(() => {
    if (failed) toast({ title: 'Search failed', tone: 'destructive' })
  }, [failed])

  if (search.isPending || (signedOut && !search.data)) return <Searching />
  if (!search.data) {
    return (
      <ErrorState
        title="Search failed"
        message="The search did not get an answer."
        onRetry={() => void search.refetch()}
      />
    )
  }
  const people = search.data.pages.flatMap((page) => page.items)
  if (people.length === 0) {
    return (
      <div role="status">
        <EmptyState
          drawing={<LampIllustration />}
          title="No Users Found"
          text={
            <>
              No users found for "<bdi>{term}</bdi>". Try searching with different keywords.
            </>
          }
        />
      </div>
    )
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {people.map((person) => (
          <Result key={person.id} person={person} action={action} />
        ))}
      </Box>
      <Box role="status" padding="4" textAlign="center" textStyle="small" color="muted">
        {found(people.length, search.hasNextPage)}
      </Box>
      {search.hasNextPage && (
        <Box marginTop="-6">
          <LoadMore
            more={search.hasNextPage}
            failed={search.isFetchNextPageError}
            loading={search.isFetchingNextPage}
            onMore={search.fetchNextPage}
            label="Show more people"
            failedLabel="More people did not load. Try again"
          />
        </Box>
      )}
    </>
  )
}

/** As many as are known: more may follow. */
function found(count: number, more: boolean): string {
  return `Found ${count}${more ? '+' : ''} user${count === 1 && !more ? '' : 's'}`
}

function Result({ person, action }: { person: User; action: Action }) {
  return (
    <Row>
      <ResultLink to={paths.profile.getHref(person.handle)}>
        <UserRow person={person} mark={person.isCreator && <Badge tone="ember">Creator</Badge>}>
          {person.bio && (
            <Box
              textStyle="small"
              marginTop="1"
              lineClamp="2"
              overflowWrap="anywhere"
              {...userTextParagraphs}
            >
              {person.bio}
            </Box>
          )}
        </UserRow>
      </ResultLink>
      <Box position="relative" flexShrink="0">
        {action(person)}
      </Box>
    </Row>
  )
}

function Searching() {
  return (
    <Box role="status" padding="5">
      <Box textStyle="small" color="muted" marginBottom="4">
        Searching...
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
