import { Box, chakra } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { User } from '@contract/user.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Input } from '@/ui/Field'
import { SearchIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { AnimatePresence, m, slideFade } from '@/ui/motion'
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
    paddingBlock: '1.5',
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

/**
 * The search box of the header: people as one types, all results on Enter. What was typed stays there beside its
 * results, and no longer.
 */
export default function HeaderSearch({ ref }: { ref?: Ref<HTMLInputElement> }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [screen, setScreen] = useState(pathname)
  if (screen !== pathname) {
    setScreen(pathname)
    if (screen === paths.search.path) setTyped('')
  }
  const term = searchTerm(useDebounced(typed, intervals.searchDebounceMs))
  const search = useInfiniteQuery(searchUsersQuery(term))
  const wanted = searchTerm(typed)
  const people = wanted && term === wanted ? search.data?.pages[0]?.items : undefined
  const shown = open && people !== undefined
  const found = shown && people.length > 0

  useEffect(() => {
    if (search.error) console.error('Search failed', search.error)
  }, [search.error])

  useEffect(() => {
    if (!open) return
    const close = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [open])

  const leaveFor = (address: string) => {
    setOpen(false)
    setActive(-1)
    navigate(address)
  }
  const choose = (person: User) => {
    setTyped('')
    leaveFor(paths.profile.getHref(person.handle))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // The browser empties a search box on Escape: the first one only closes the list.
      if (shown) event.preventDefault()
      setOpen(false)
      setActive(-1)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      const person = shown ? people[active] : undefined
      if (person) choose(person)
      else if (wanted) leaveFor(paths.search.getHref(wanted))
    } else if (found && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((before) =>
        before < 0 && step < 0 ? people.length - 1 : (before + step + people.length) % people.length,
      )
    }
  }

  return (
    <Box ref={box} role="search" position="relative" width="100%">
      <Box
        position="absolute"
        insetStart="3.5"
        top="50%"
        transform="translateY(-50%)"
        color="muted"
        fontSize="lg"
        pointerEvents="none"
      >
        <SearchIcon />
      </Box>
      <Input
        ref={ref}
        type="search"
        role="combobox"
        aria-label="Search for people"
        aria-expanded={found}
        aria-controls={found ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={found && active >= 0 ? `${listId}-${active}` : undefined}
        placeholder="Search for people"
        autoComplete="off"
        maxLength={limits.searchQuery.max}
        minHeight="target"
        paddingInlineStart="10"
        borderRadius="full"
        borderColor="transparent"
        _focusVisible={{ borderColor: 'focus' }}
        bg="sunken"
        fontSize="md"
        css={{ '&::-webkit-search-cancel-button': { display: 'none' } }}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onFocus={() => setOpen(true)}
        // It may have the focus already, with a list that Escape has closed.
        onClick={() => setOpen(true)}
        onBlur={(event) => {
          if (!box.current?.contains(event.relatedTarget)) setOpen(false)
        }}
        onKeyDown={onKeyDown}
      />
      <AnimatePresence>
        {shown && (
          <List asChild>
            <m.div
              {...slideFade}
              // Keeps the focus in the box, so that choosing is not a blur.
              onMouseDown={(event) => event.preventDefault()}
            >
              {found ? (
                <div id={listId} role="listbox" aria-label="People">
                  {people.map((person, index) => (
                    <Option
                      key={person.id}
                      id={`${listId}-${index}`}
                      role="option"
                      aria-selected={index === active}
                      ref={(element: HTMLDivElement | null) => {
                        if (index === active) element?.scrollIntoView({ block: 'nearest' })
                      }}
                      onClick={() => choose(person)}
                    >
                      <UserRow person={person} size="sm" />
                    </Option>
                  ))}
                </div>
              ) : (
                <Box aria-hidden paddingInline="4" paddingBlock="3" color="muted" overflowWrap="anywhere">
                  <NooneFound term={term} />
                </Box>
              )}
            </m.div>
          </List>
        )}
      </AnimatePresence>
      <VisuallyHidden role="status" aria-live="polite">
        {found && `${people.length} ${people.length === 1 ? 'person' : 'people'} found`}
        {shown && !found && <NooneFound term={term} />}
      </VisuallyHidden>
    </Box>
  )
}

function NooneFound({ term }: { term: string }) {
  return (
    <>
      No users found for "<bdi>{term}</bdi>"
    </>
  )
}
