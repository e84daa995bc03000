import { Box } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { UserStats } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { compactNumber } from '@/lib/format'
import { Input } from '@/ui/Field'
import { FilterChips } from '@/ui/FilterChips'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, GridIcon, ListIcon, SearchIcon } from '@/ui/icons'
import { useDebounced } from '@/ui/useDebounced'
import type { FilterKind, PostFilter } from '../api/posts'
import { postKindCounts } from '../model'

/** Profiles with fewer posts have no search field. */
const minSearchablePosts = 5

/**
 * Filters the posts on a profile by kind, searches them if `canSearch`, and switches between list and grid. Shows no
 * filters if all posts are of one kind, there are no reposts, and no filter is set; the buttons are then in `toolbar`.
 */
export function PostFilters({
  stats,
  filter,
  hasReposts,
  own,
  onChange,
  canSearch,
  isSearching,
  onToggleSearch,
  isGrid,
  onToggleGrid,
  toolbar,
}: {
  /** Null if they failed to load. */
  stats: UserStats | null
  filter: PostFilter
  hasReposts: boolean
  /** Whether the viewer is the author, who also sees hidden posts, which `stats` does not count. */
  own: boolean
  onChange: (filter: PostFilter) => void
  canSearch: boolean
  /** Whether the search field is open. */
  isSearching: boolean
  onToggleSearch: (isSearching: boolean) => void
  /** Whether the posts are shown as a grid. */
  isGrid: boolean
  onToggleGrid: (isGrid: boolean) => void
  /** The element at the end of the row of tabs, or null until it exists. */
  toolbar: HTMLElement | null
}) {
  const toggle = useRef<HTMLButtonElement>(null)
  const isReposts = filter.kind === 'reposts'
  const allKinds = postKindCounts(stats, filter.kind === 'reposts' ? undefined : filter.kind)
  const kinds = allKinds.length > 1 || (filter.kind && !isReposts) ? allKinds : []
  const names = { image: t`Photos`, video: t`Videos`, text: t`Text`, premium: t`Premium` }
  const hasSearch =
    canSearch && !isReposts && (filter.q !== '' || (stats?.posts ?? minSearchablePosts) >= minSearchablePosts)
  const hasFilters = kinds.length > 0 || hasReposts || isReposts
  const hasPosts = own || hasReposts || filter.kind !== undefined || stats?.posts !== 0
  const label = (name: string, count: number | null): ReactNode => (
    <>
      {name}
      {/* A search may find fewer. */}
      {count !== null && filter.q === '' && (
        <Box as="span" marginInlineStart="1.5" opacity="0.75" fontVariantNumeric="tabular-nums">
          {compactNumber(count)}
        </Box>
      )}
    </>
  )
  const closeSearch = () => {
    onToggleSearch(false)
    onChange({ ...filter, q: '' })
  }
  const buttons = (
    <Box
      display="flex"
      marginInlineEnd={hasFilters ? { base: '-2.5', md: '0' } : { base: '1', md: '0' }}
      // Keeps the row as high as the chips.
      marginBlock={hasFilters ? '-1' : '0'}
    >
      {hasPosts && (
        <IconButton label={isGrid ? t`Show as list` : t`Show as grid`} onClick={() => onToggleGrid(!isGrid)}>
          {isGrid ? <ListIcon /> : <GridIcon />}
        </IconButton>
      )}
      {hasSearch && (
        <IconButton
          ref={toggle}
          label={isSearching ? t`Close search` : t`Search posts`}
          aria-expanded={isSearching}
          onClick={() => (isSearching ? closeSearch() : onToggleSearch(true))}
        >
          {isSearching ? <CloseIcon /> : <SearchIcon />}
        </IconButton>
      )}
    </Box>
  )
  const searchField = hasSearch && isSearching && (
    <SearchField
      term={filter.q}
      onSearch={(q) => onChange({ ...filter, q })}
      onEscape={() => {
        closeSearch()
        toggle.current?.focus()
      }}
    />
  )
  return (
    <>
      {!hasFilters && toolbar && createPortal(buttons, toolbar)}
      {(hasFilters || searchField) && (
        <Box
          display="grid"
          gridTemplateColumns="minmax(0, 1fr)"
          gap="2"
          paddingInline={{ base: '4', md: '0' }}
          paddingTop={{ base: '2', md: '0' }}
        >
          {hasFilters && (
            <Box display="flex" alignItems="center" gap="2">
              <Box
                flex="1"
                minWidth="0"
                overflow={{ mdDown: 'clip' }}
                css={{ overflowClipMargin: '{spacing.4}' }}
              >
                <FilterChips
                  label={t`Filter posts`}
                  options={[
                    { value: 'all', label: label(t`All`, stats?.posts ?? null) },
                    ...kinds.map(({ kind, count }) => ({ value: kind, label: label(names[kind], count) })),
                    ...(hasReposts || isReposts ? [{ value: 'reposts' as const, label: t`Reposts` }] : []),
                  ]}
                  value={filter.kind ?? 'all'}
                  onChange={(kind: FilterKind | 'all') =>
                    onChange({
                      kind: kind === 'all' ? undefined : kind,
                      q: kind === 'reposts' ? '' : filter.q,
                    })
                  }
                />
              </Box>
              {buttons}
            </Box>
          )}
          {searchField}
        </Box>
      )}
    </>
  )
}

/** Searches while the viewer types. */
function SearchField({
  term,
  onSearch,
  onEscape,
}: {
  term: string
  onSearch: (term: string) => void
  onEscape: () => void
}) {
  const [input, setInput] = useState(term)
  const settled = useDebounced(input.trim(), intervals.searchDebounceMs)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the viewer stops typing
  useEffect(() => {
    if (settled !== term) onSearch(settled)
  }, [settled])
  return (
    <Box as="search" display="block">
      <Input
        type="search"
        aria-label={t`Search posts`}
        placeholder={t`Search posts`}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={limits.searchQuery.max}
        autoFocus={!term}
        value={input}
        onChange={(event) => setInput(event.target.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Escape') onEscape()
        }}
      />
    </Box>
  )
}
