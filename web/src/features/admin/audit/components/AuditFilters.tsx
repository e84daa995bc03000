import { Box } from '@chakra-ui/react'
import { auditActions } from '@contract/audit.ts'
import { Button } from '@/ui/Button'
import { SelectField, TextField } from '@/ui/Field'
import type { AuditFilter } from '../api'
import { auditActionNames } from '../model'
import { UserFilter } from './UserFilter'

/** What of the log is shown: one action, one admin, one person, some days. */
export function AuditFilters({
  filter,
  onChange,
  onClear,
}: {
  filter: AuditFilter
  onChange: (name: keyof AuditFilter, value: string | undefined) => void
  /** Where something is set. */
  onClear: (() => void) | undefined
}) {
  const known: readonly string[] = auditActions
  return (
    <Box role="search" aria-label="Audit log" display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
      <Box
        display="grid"
        gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: '2fr 1fr 1fr' }}
        gap="4"
      >
        <Box gridColumn={{ base: '1 / -1', md: 'auto' }}>
          <SelectField
            label="Action"
            value={filter.action ?? ''}
            onChange={({ target }) => onChange('action', target.value)}
          >
            <option value="">All</option>
            {filter.action && !known.includes(filter.action) && (
              <option value={filter.action}>{filter.action}</option>
            )}
            {known.map((action) => (
              <option key={action} value={action}>
                {auditActionNames[action] ?? action}
              </option>
            ))}
          </SelectField>
        </Box>
        <TextField
          type="date"
          label="From (UTC)"
          max={filter.to}
          value={filter.from ?? ''}
          onChange={({ target }) => onChange('from', target.value)}
        />
        <TextField
          type="date"
          label="To (UTC)"
          min={filter.from}
          value={filter.to ?? ''}
          onChange={({ target }) => onChange('to', target.value)}
        />
      </Box>
      <Box
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }}
        gap="4"
      >
        <UserFilter label="Admin" id={filter.actor} onChange={(id) => onChange('actor', id)} />
        <UserFilter label="Person" id={filter.target} onChange={(id) => onChange('target', id)} />
      </Box>
      {onClear && (
        <Button variant="link" justifySelf="start" minHeight="9" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Box>
  )
}
