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
import { TimeAgo } from '@/ui/TimeAgo'
import { setAutoPosting, type useAdminAction } from '../api'
import { frequencyNames } from '../model'
import type { UserDialogKind } from './UserDialogs'

/** Places the label beside the select on wide screens, and makes the select as tall as the buttons. */
const inlineSelect = {
  '& > div': { display: { md: 'flex' }, alignItems: 'center', columnGap: '3' },
  '& > div > :first-of-type': { marginBottom: { md: '0' } },
  '& select': {
    minHeight: '9',
    width: { md: 'auto' },
    borderRadius: 'full',
    fontSize: 'sm',
    '@media (pointer: coarse)': { minHeight: 'target', fontSize: 'input' },
  },
} as const

/**
 * Shows whether auto-posting is on for a creator, and its frequency. While it is on, a new frequency is saved
 * immediately.
 */
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
  /** The selected frequency, used while auto-posting is off or a request is pending. */
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
      alignItems="center"
      gap="2"
      marginTop="2"
    >
      <Box width={{ base: '100%', md: 'auto' }} css={inlineSelect}>
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
          aria-label={t`${{ label: previewLabel }}: ${name}`}
          onClick={({ currentTarget }) => onOpenDialog('preview', currentTarget)}
        >
          {previewLabel}
        </Button>
      )}
      {(isOn || user.lastAutoPost) && (
        <Box textStyle="small" color="muted">
          {t`Last auto-post`} {user.lastAutoPost ? <TimeAgo at={user.lastAutoPost} /> : t`None yet`}
        </Box>
      )}
    </Box>
  )
}
