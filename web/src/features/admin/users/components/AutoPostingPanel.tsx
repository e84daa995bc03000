import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { AutoPostingFrequency } from '@contract/auto-posting.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { displayName } from '@/lib/text'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { useRestoreFocus } from '@/ui/restore-focus'
import { setAutoPosting, type useAdminAction } from '../api'
import { frequencyNames } from '../model'
import type { UserDialogKind } from './UserDialogs'

/** Shows whether auto-posting is on for a creator, and its frequency. While it is on, a new frequency is saved. */
export function AutoPostingPanel({
  user,
  adminAction: { run, pendingAction },
  onOpenDialog,
}: {
  user: AdminUser
  adminAction: ReturnType<typeof useAdminAction>
  onOpenDialog: (kind: UserDialogKind, trigger: HTMLElement) => void
}) {
  const name = displayName(user)
  const { autoPostingEnabled: isOn } = user
  const toggleLabel = isOn ? t`Disable Auto-Post` : t`Enable Auto-Post`
  const previewLabel = t`Preview a draft`
  /** The selected frequency: while auto-posting is off, and while a request is pending. */
  const [selectedFrequency, setSelectedFrequency] = useState<AutoPostingFrequency>()
  const isPending = pendingAction === 'auto-posting'
  const frequency =
    isOn && !isPending ? user.autoPostingFrequency : (selectedFrequency ?? user.autoPostingFrequency)
  const usedControl = useRef<HTMLElement>(undefined)
  useRestoreFocus(isPending, () => usedControl.current)
  const selectFrequency = (value: string) => {
    const newFrequency = AutoPostingFrequency.parse(value)
    setSelectedFrequency(newFrequency)
    if (isOn) run(setAutoPosting(user, true, newFrequency))
  }
  return (
    <Box
      role="group"
      aria-label={t`Auto-posting for ${name}`}
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
          label={t`Auto-posting`}
          aria-label={t`Auto-posting frequency for ${name}`}
          aside={
            user.awaitingConsent ? (
              <Badge tone="gold">{t`Waiting for consent`}</Badge>
            ) : (
              <Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? t`On` : t`Off`}</Badge>
            )
          }
          value={frequency}
          disabled={isPending}
          onChange={({ target }) => {
            usedControl.current = target
            selectFrequency(target.value)
          }}
        >
          {AutoPostingFrequency.options.map((option) => (
            <option key={option} value={option}>
              {t(frequencyNames[option])}
            </option>
          ))}
        </SelectField>
      </Box>
      <Button
        variant={isOn ? 'outline' : 'quiet'}
        size="sm"
        minHeight="12"
        aria-label={t`${{ label: toggleLabel }}: ${name}`}
        pending={isPending}
        onClick={({ currentTarget }) => {
          usedControl.current = currentTarget
          setSelectedFrequency(frequency)
          run(setAutoPosting(user, !isOn, frequency))
        }}
      >
        {toggleLabel}
      </Button>
      {user.isCreator && (
        <Button
          variant="ghost"
          size="sm"
          minHeight="12"
          aria-label={t`${{ label: previewLabel }}: ${name}`}
          onClick={({ currentTarget }) => onOpenDialog('preview', currentTarget)}
        >
          {previewLabel}
        </Button>
      )}
    </Box>
  )
}
