import { Box, chakra } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { User } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { SearchInput } from '@/ui/Field'
import { VisuallyHidden } from '@/ui/layout'
import { UserRow } from '@/ui/UserRow'
import { useDebounced } from '@/ui/useDebounced'
import { searchTerm, searchUsersQuery } from '../api'

const List = chakra('div', {
  base: {
    position: 'absolute',
    zIndex: 'dropdown',
    top: 'calc(100% + 0.5rem)',
    insetInline: '0',
    maxHeight: '20rem',
    overflowY: 'auto',
    bg: 'raised',
    borderWidth: '1px',
    borderRadius: 'md',
    boxShadow: 'mid',
    paddingTop: '1.5',
    animation: 'appear 160ms {easings.out}',
  },
})

const Option = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: '14',
    paddingInline: '4',
    paddingBlock: '2',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    '&[aria-selected=true]': { bg: 'hover', boxShadow: 'inset 3px 0 0 {colors.ember.ring}' },
  },
})

const SeeAllLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    position: 'sticky',
    bottom: '0',
    minHeight: 'target',
    paddingInline: '4',
    marginTop: '1.5',
    bg: 'raised',
    borderTopWidth: '1px',
    textStyle: 'label',
    color: 'ember.text',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/**
 * Shows the search box in the header, which suggests users while the viewer types. Enter opens the active suggestion
 * or, if there is none, the search page. The link below the suggestions also opens the search page. On that page, the
 * input shows the query in the URL.
 */
export default function HeaderSearch({ ref }: { ref?: Ref<HTMLInputElement> }) {
  const navigate = useNavigate()
  const location = useLocation()
  const listId = useId()
  const container = useRef<HTMLDivElement>(null)
  const urlQuery =
    (location.pathname === paths.search.path && new URLSearchParams(location.search).get('q')) || ''
  const [input, setInput] = useState(urlQuery)
  const [isOpen, setOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(-1)
  const [previousUrlQuery, setPreviousUrlQuery] = useState(urlQuery)
  const [submittedInput, setSubmittedInput] = useState('')
  if (previousUrlQuery !== urlQuery) {
    setPreviousUrlQuery(urlQuery)
    // Text that has been typed meanwhile stays: the search page may have taken a while to load.
    if (input === previousUrlQuery || input === submittedInput) setInput(urlQuery)
  }
  const term = searchTerm(useDebounced(input, intervals.searchDebounceMs))
  const search = useInfiniteQuery(searchUsersQuery(term))
  const currentTerm = searchTerm(input)
  const users = currentTerm && term === currentTerm ? search.data?.pages[0]?.items : undefined
  const isListOpen = isOpen && users !== undefined
  const hasResults = isListOpen && users.length > 0
  const resultCount = users?.length ?? 0

  useEffect(() => {
    if (search.error) console.error('Search failed', search.error)
  }, [search.error])

  useEffect(() => {
    if (!isOpen) return
    const close = (event: PointerEvent) => {
      if (event.target instanceof Node && !container.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [isOpen])

  const closeAndNavigate = (path: string) => {
    setOpen(false)
    setActiveIndex(-1)
    navigate(path)
  }
  const openProfile = (user: User) => {
    setInput('')
    closeAndNavigate(paths.profile.getHref(user.handle))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Browsers clear a search input on Escape. The first Escape only closes the list.
      if (isListOpen) event.preventDefault()
      setOpen(false)
      setActiveIndex(-1)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      const user = isListOpen ? users[activeIndex] : undefined
      if (user) openProfile(user)
      else if (currentTerm) {
        setSubmittedInput(input)
        closeAndNavigate(paths.search.getHref(currentTerm))
      }
    } else if (hasResults && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActiveIndex((index) =>
        index < 0 && step < 0 ? users.length - 1 : (index + step + users.length) % users.length,
      )
    }
  }

  return (
    <Box
      ref={container}
      role="search"
      position="relative"
      width="100%"
      onBlur={(event) => {
        if (!container.current?.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <SearchInput
        ref={ref}
        round
        role="combobox"
        label={t`Search people, posts and topics`}
        aria-expanded={hasResults}
        aria-controls={hasResults ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={hasResults && activeIndex >= 0 ? `${listId}-${activeIndex}` : undefined}
        maxLength={limits.searchQuery.max}
        bg="sunken"
        fontSize="md"
        css={{ '&::-webkit-search-cancel-button': { display: 'none' } }}
        value={input}
        onChange={(event) => {
          setInput(event.target.value)
          setOpen(true)
          setActiveIndex(-1)
        }}
        onFocus={() => setOpen(true)}
        // Reopens the list if Escape has closed it while the input kept the focus.
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      {isListOpen && (
        // Keeps the focus in the input when the user clicks on an option.
        <List onMouseDown={(event) => event.preventDefault()}>
          {hasResults ? (
            <div id={listId} role="listbox" aria-label={t`People`}>
              {users.map((user, index) => (
                <Option
                  key={user.id}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === activeIndex}
                  ref={(element: HTMLDivElement | null) => {
                    if (index === activeIndex) element?.scrollIntoView({ block: 'nearest' })
                  }}
                  onClick={() => openProfile(user)}
                >
                  <UserRow user={user} size="sm" />
                </Option>
              ))}
            </div>
          ) : (
            <Box aria-hidden paddingInline="4" paddingBlock="3" color="muted" overflowWrap="anywhere">
              <NoResults term={term} />
            </Box>
          )}
          <SeeAllLink
            to={paths.search.getHref(term)}
            onClick={() => setOpen(false)}
            onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
          >
            {t`See all results`}
          </SeeAllLink>
        </List>
      )}
      <VisuallyHidden role="status" aria-live="polite">
        {hasResults && t`${plural(resultCount, { one: '# person found', other: '# people found' })}`}
        {isListOpen && !hasResults && <NoResults term={term} />}
      </VisuallyHidden>
    </Box>
  )
}

function NoResults({ term }: { term: string }) {
  return (
    <Trans>
      No users found for "<bdi>{term}</bdi>"
    </Trans>
  )
}
