import { Box } from '@chakra-ui/react'
import type { InstanceSettings } from '@contract/admin.ts'
import { Switch } from '@/ui/Switch'
import { useChangeSettings } from '../api'
import { SettingsSection } from './SettingsSection'

/** Who may do what from the start: saved as it is switched. */
export function SwitchesSection({ settings }: { settings: InstanceSettings }) {
  const { mutate, isPending, variables } = useChangeSettings()
  // As it was switched, until the answer is there.
  const shown = { ...settings, ...(isPending && variables) }
  return (
    <SettingsSection title="Accounts">
      <Box display="grid" gap="4">
        <Switch
          label="Require approval"
          hint="New accounts can read, and change nothing until an admin approves them."
          checked={shown.requireApproval ?? settings.requireApproval}
          disabled={isPending}
          onChange={(requireApproval) => mutate({ requireApproval })}
        />
        <Switch
          label="Creator Pro billing"
          hint="The Creator Account switch leads to payment, and no longer makes a creator at once."
          checked={shown.creatorProBilling ?? settings.creatorProBilling}
          disabled={isPending}
          onChange={(creatorProBilling) => mutate({ creatorProBilling })}
        />
      </Box>
    </SettingsSection>
  )
}
