import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { AutoPostingFrequency } from '@contract/auto-posting.ts'
import { useEffect, useRef, useState } from 'react'
import { displayName } from '@/lib/text'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { setAutoPosting, type useAdminAction } from '../admin-actions'
import { frequencyNames } from '../labels'
import type { UserDialogKind } from './UserDialogs'

/** Whether a program posts in a creator's name, and how often. While it does, another frequency counts at once. */
export function AutoPostingPanel({
  person,
  deeds: { act, pending },
  onAsk,
}: {
  person: AdminUser
  deeds: ReturnType<typeof useAdminAction>
  onAsk: (action: UserDialogKind, from: HTMLElement) => void
}) {
  const name = displayName(person)
  const { autoPostingEnabled: on } = person
  /** What was chosen while it is off, to begin with; and while it is on, until the answer is there. */
  const [chosen, setChosen] = useState<AutoPostingFrequency>()
  const busy = pending === 'auto-posting'
  const frequency = on && !busy ? person.autoPostingFrequency : (chosen ?? person.autoPostingFrequency)
  const pressed = useRef<HTMLElement>(undefined)
  useEffect(() => {
    // What is disabled while it is under way loses the focus: it gets it back.
    if (!busy && document.activeElement === document.body) pressed.current?.focus()
    if (!busy) pressed.current = undefined
  }, [busy])
  const choose = (value: string) => {
    const next = AutoPostingFrequency.parse(value)
    setChosen(next)
    if (on) act(setAutoPosting(person, true, next))
  }
  return (
    <Box
      role="group"
      aria-label={`Auto-posting of ${name}`}
      display="flex"
      flexWrap="wrap"
      alignItems="flex-end"
      gap="3"
      marginTop="4"
      padding="3.5"
      bg="sunken"
      borderRadius="md"
    >
      <Box width={{ base: '100%', sm: '16rem' }}>
        <SelectField
          label="Auto-posting"
          aria-label={`Auto-posting frequency of ${name}`}
          aside={
            person.awaitingConsent ? (
              <Badge tone="gold">Waiting for their consent</Badge>
            ) : (
              <Badge tone={on ? 'success' : 'neutral'}>{on ? 'On' : 'Off'}</Badge>
            )
          }
          value={frequency}
          disabled={busy}
          onChange={({ target }) => {
            pressed.current = target
            choose(target.value)
          }}
        >
          {AutoPostingFrequency.options.map((one) => (
            <option key={one} value={one}>
              {frequencyNames[one]}
            </option>
          ))}
        </SelectField>
      </Box>
      <Button
        variant={on ? 'outline' : 'quiet'}
        size="sm"
        minHeight="12"
        aria-label={`${on ? 'Disable' : 'Enable'} Auto-Post: ${name}`}
        pending={busy}
        onClick={({ currentTarget }) => {
          pressed.current = currentTarget
          setChosen(frequency)
          act(setAutoPosting(person, !on, frequency))
        }}
      >
        {on ? 'Disable' : 'Enable'} Auto-Post
      </Button>
      {person.isCreator && (
        <Button
          variant="ghost"
          size="sm"
          minHeight="12"
          aria-label={`Preview a draft: ${name}`}
          onClick={({ currentTarget }) => onAsk('preview', currentTarget)}
        >
          Preview a draft
        </Button>
      )}
    </Box>
  )
}
