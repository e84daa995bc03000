import { Box, chakra } from '@chakra-ui/react'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { displayName } from '@/lib/text'
import { TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { InlineError } from '@/ui/states'
import { UserRow } from '@/ui/UserRow'
import { useDebounced } from '@/ui/useDebounced'
import { userByIdQuery, userSearchQuery } from '../api'

const Choice = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    minHeight: 'target',
    padding: '2',
    textAlign: 'start',
    borderRadius: 'md',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** One person to filter by, found by name, username or email. */
export function UserFilter({
  label,
  id,
  onChange,
}: {
  label: string
  id: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  // What was pressed is gone: the focus goes to what stands in its place.
  const choose = (next: string | undefined) => {
    onChange(next)
    setTimeout(() => place.current?.querySelector<HTMLElement>('input, button')?.focus())
  }
  return (
    <div ref={place}>
      {id ? (
        <Chosen label={label} id={id} onClear={() => choose(undefined)} />
      ) : (
        <Search label={label} onChoose={choose} />
      )}
    </div>
  )
}

function Chosen({ label, id, onClear }: { label: string; id: string; onClear: () => void }) {
  const { data, isError } = useQuery(userByIdQuery(id))
  return (
    <div>
      <Box textStyle="label" marginBottom="1.5">
        {label}
      </Box>
      <Box
        display="flex"
        alignItems="center"
        gap="3"
        minHeight="12"
        paddingInlineStart="3"
        bg="sunken"
        borderRadius="md"
      >
        {data ? (
          <UserRow person={data} size="sm" />
        ) : (
          // An account that is gone is still found in the log.
          <Box flex="1" minWidth="0" textStyle="small" color="muted" truncate>
            {isError ? `Deleted user, ${id}` : '…'}
          </Box>
        )}
        <IconButton
          label={`Clear ${label.toLowerCase()}${data ? ` ${displayName(data)}` : ''}`}
          tooltip={false}
          onClick={onClear}
        >
          <CloseIcon />
        </IconButton>
      </Box>
    </div>
  )
}

function Search({ label, onChoose }: { label: string; onChoose: (id: string) => void }) {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), intervals.searchDebounceMs)
  const { data, isError, refetch } = useQuery(userSearchQuery(search))
  const found = search !== '' && typed.trim() !== '' ? data : undefined
  return (
    <>
      <TextField
        type="search"
        label={label}
        placeholder="Name, username or email"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.searchQuery.max}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
      />
      <VisuallyHidden role="status">{found && `${found.length} found`}</VisuallyHidden>
      {isError && search !== '' && <InlineError text="The search failed." onRetry={() => void refetch()} />}
      {found?.length === 0 && (
        <Box textStyle="small" color="muted" marginTop="1.5">
          Nobody found.
        </Box>
      )}
      {found && found.length > 0 && (
        <Box as="ul" listStyleType="none" aria-label={`Found for ${label.toLowerCase()}`} marginTop="1.5">
          {found.map((person) => (
            <li key={person.id}>
              <Choice type="button" onClick={() => onChoose(person.id)}>
                <UserRow person={person} size="sm" />
              </Choice>
            </li>
          ))}
        </Box>
      )}
    </>
  )
}
