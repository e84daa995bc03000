import { Box } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { Input } from '@/ui/Field'
import { SearchIcon } from '@/ui/icons'

/** What is searched: told when nothing was typed for a moment. `term` is what is searched by now. */
export function UserSearch({ term, onSearch }: { term: string; onSearch: (term: string) => void }) {
  const [typed, setTyped] = useState(term)
  const [told, setTold] = useState(term)
  const [searched, setSearched] = useState(term)
  if (searched !== term) {
    setSearched(term)
    // Another address, as by a link, fills the box anew; one's own words may have gone on meanwhile.
    if (told !== term) {
      setTold(term)
      if (typed.trim() !== term) setTyped(term)
    }
  }
  const timer = useRef(0)
  const latest = useRef({ typed, term, onSearch })
  useEffect(() => {
    latest.current = { typed, term, onSearch }
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const tell = () => {
    const now = latest.current
    const wanted = now.typed.trim()
    if (wanted === now.term) return
    setTold(wanted)
    now.onSearch(wanted)
  }
  const type = (words: string) => {
    setTyped(words)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(tell, intervals.searchDebounceMs)
  }
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
          onChange={({ target }) => type(target.value)}
        />
      </Box>
    </search>
  )
}
