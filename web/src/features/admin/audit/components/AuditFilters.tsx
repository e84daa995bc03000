import { Box, chakra } from '@chakra-ui/react'
import { AuditQuery, auditActions } from '@contract/audit.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useUrlParams } from '@/lib/url-params'
import { Button } from '@/ui/Button'
import { DayField } from '@/ui/DayField'
import { SelectField, TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { InlineError } from '@/ui/states'
import { UserRow } from '@/ui/UserRow'
import { useDebounced } from '@/ui/useDebounced'
import { type AuditFilter, userByIdQuery, userSearchQuery } from '../api'
import { auditActionNames } from '../model'

/** Shows the filters of the audit log: action, admin, affected user and period. */
export function AuditFilters({
  filter,
  onChange,
  onClear,
}: {
  filter: AuditFilter
  onChange: (name: keyof AuditFilter, value: string | undefined) => void
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined
}) {
  const knownActions: readonly string[] = auditActions
  return (
    <Box role="search" aria-label={t`Audit log`} display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
      <Box
        display="grid"
        gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: '2fr 1fr 1fr' }}
        gap="4"
      >
        <Box gridColumn={{ base: '1 / -1', md: 'auto' }}>
          <SelectField
            label={t`Action`}
            value={filter.action ?? ''}
            onChange={({ target }) => onChange('action', target.value)}
          >
            <option value="">{t`All actions`}</option>
            {filter.action && !knownActions.includes(filter.action) && (
              <option value={filter.action}>{filter.action}</option>
            )}
            {auditActions.map((action) => (
              <option key={action} value={action}>
                {t(auditActionNames[action])}
              </option>
            ))}
          </SelectField>
        </Box>
        <DayField
          label={t`From (UTC)`}
          day={filter.from ?? ''}
          max={filter.to}
          onDayChange={(day) => onChange('from', day)}
        />
        <DayField
          label={t`To (UTC)`}
          day={filter.to ?? ''}
          min={filter.from}
          onDayChange={(day) => onChange('to', day)}
        />
      </Box>
      <Box
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }}
        gap="4"
      >
        <UserFilter name="actor" id={filter.actor} onChange={(id) => onChange('actor', id)} />
        <UserFilter name="target" id={filter.target} onChange={(id) => onChange('target', id)} />
      </Box>
      {onClear && (
        <Button variant="link" justifySelf="start" minHeight="9" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      )}
    </Box>
  )
}

const userFilterTexts = {
  actor: {
    label: msg`Admin`,
    clear: msg`Clear the admin filter`,
    results: msg`Results for the admin filter`,
  },
  target: {
    label: msg`User`,
    clear: msg`Clear the user filter`,
    results: msg`Results for the user filter`,
  },
}
type UserFilterName = keyof typeof userFilterTexts

/** Shows the selected user, or a search field to find one by name, username or email. */
function UserFilter({
  name,
  id,
  onChange,
}: {
  name: UserFilterName
  id: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const container = useRef<HTMLDivElement>(null)
  // The pressed button is unmounted, so the focus moves to the control that replaces it.
  const select = (selectedId: string | undefined) => {
    onChange(selectedId)
    setTimeout(() => container.current?.querySelector<HTMLElement>('input, button')?.focus())
  }
  return (
    <div ref={container}>
      {id ? (
        <SelectedUser name={name} id={id} onClear={() => select(undefined)} />
      ) : (
        <UserSearchField name={name} onSelect={select} />
      )}
    </div>
  )
}

function SelectedUser({ name, id, onClear }: { name: UserFilterName; id: string; onClear: () => void }) {
  const texts = userFilterTexts[name]
  const { data, isError } = useQuery(userByIdQuery(id))
  return (
    <div>
      <Box textStyle="label" marginBottom="1.5">
        {t(texts.label)}
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
          <UserRow user={data} size="sm" />
        ) : (
          // The log also contains deleted users.
          <Box flex="1" minWidth="0" textStyle="small" color="muted" truncate>
            {isError ? t`Deleted user (${id})` : '…'}
          </Box>
        )}
        <IconButton label={t(texts.clear)} tooltip={false} onClick={onClear}>
          <CloseIcon />
        </IconButton>
      </Box>
    </div>
  )
}

function UserSearchField({ name, onSelect }: { name: UserFilterName; onSelect: (id: string) => void }) {
  const texts = userFilterTexts[name]
  const [input, setInput] = useState('')
  const search = useDebounced(input.trim(), intervals.searchDebounceMs)
  const { data, isError, refetch } = useQuery(userSearchQuery(search))
  const results = search !== '' && input.trim() !== '' ? data : undefined
  const count = results?.length ?? 0
  return (
    <>
      <TextField
        type="search"
        label={t(texts.label)}
        placeholder={t`Name, username or email`}
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.searchQuery.max}
        value={input}
        onChange={({ target }) => setInput(target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setInput('')}
      />
      <VisuallyHidden role="status">
        {results && t`${plural(count, { one: '# result', other: '# results' })}`}
      </VisuallyHidden>
      {isError && search !== '' && (
        <InlineError text={t`Couldn't search users. Try again.`} onRetry={() => void refetch()} />
      )}
      {results?.length === 0 && (
        <Box textStyle="small" color="muted" marginTop="1.5">
          {t`No users found`}
        </Box>
      )}
      {results && results.length > 0 && (
        <Box as="ul" listStyleType="none" aria-label={t(texts.results)} marginTop="1.5">
          {results.map((user) => (
            <li key={user.id}>
              <ResultButton type="button" onClick={() => onSelect(user.id)}>
                <UserRow user={user} size="sm" />
              </ResultButton>
            </li>
          ))}
        </Box>
      )}
    </>
  )
}

const filterNames = ['action', 'actor', 'target', 'from', 'to'] as const

/**
 * Reads the filter from the URL, ignoring invalid values, and returns it with functions that change the URL. The filter
 * is in the URL so that a filtered log can be linked to.
 */
export function useAuditFilter() {
  const [params, changeParams] = useUrlParams()
  const filter: AuditFilter = {}
  for (const name of filterNames) {
    const { data } = AuditQuery.shape[name].safeParse(params.get(name) || undefined)
    if (data) filter[name] = data
  }
  const set = (changes: { [Name in keyof AuditFilter]?: string | undefined }) =>
    changeParams(changes, { preventScrollReset: true })
  return {
    filter,
    isSet: filterNames.some((name) => filter[name] !== undefined),
    change: (name: keyof AuditFilter, value: string | undefined) => set({ [name]: value }),
    clear: () => set(Object.fromEntries(filterNames.map((name) => [name, undefined]))),
  }
}

const ResultButton = chakra('button', {
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
