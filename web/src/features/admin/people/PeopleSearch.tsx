import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { Input } from '@/ui/Field'
import { SearchIcon } from '@/ui/icons'
import { useDebounced } from '@/ui/useDebounced'

/** What is searched: told when nothing was typed for a moment. `term` is what is searched by now. */
export function PeopleSearch({ term, onSearch }: { term: string; onSearch: (term: string) => void }) {
  const [typed, setTyped] = useState(term)
  // Another address, as by a link, fills the box anew.
  const [searched, setSearched] = useState(term)
  if (searched !== term) {
    setSearched(term)
    if (typed.trim() !== term) setTyped(term)
  }
  const wanted = useDebounced(typed.trim(), limits.searchDebounce)
  const latest = useRef({ term, onSearch })
  useEffect(() => {
    latest.current = { term, onSearch }
  })
  const told = useRef(wanted)
  useEffect(() => {
    if (told.current === wanted) return
    told.current = wanted
    // What is searched by already is not told: where an address filled the box, one may be on its way to the next.
    if (latest.current.term !== wanted) latest.current.onSearch(wanted)
  }, [wanted])
  return (
    <search aria-label="Users">
      <Box position="relative">
        <Box
          aria-hidden
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
          type="search"
          aria-label="Search by name, username or email"
          placeholder="Search by name, username or email"
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.searchQuery.max}
          paddingInlineStart="11"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Box>
    </search>
  )
}
