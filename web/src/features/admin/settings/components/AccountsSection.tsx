import { Box } from '@chakra-ui/react'
import type { InstanceSettings } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { Switch } from '@/ui/Switch'
import { Section } from '../../components/Section'
import { useChangeSettings } from '../api'
import { settingSwitchLabels } from '../model'

/** Shows the settings for accounts. Clicking a switch saves it immediately. */
export function AccountsSection({ settings }: { settings: InstanceSettings }) {
  const { mutate, isPending, variables } = useChangeSettings()
  // Shows the new value while the request is pending.
  const current = { ...settings, ...(isPending && variables) }
  return (
    <Section title={t`Accounts`}>
      <Box display="grid" gap="4">
        <Switch
          label={t(settingSwitchLabels.requireApproval)}
          hint={t`New accounts are read-only until an admin approves them.`}
          checked={current.requireApproval ?? settings.requireApproval}
          disabled={isPending}
          onChange={(requireApproval) => mutate({ requireApproval })}
        />
        <Switch
          label={t(settingSwitchLabels.signInAfterRegistration)}
          hint={t`New users don’t have to enter their password and a captcha again.`}
          checked={current.signInAfterRegistration ?? settings.signInAfterRegistration}
          disabled={isPending}
          onChange={(signInAfterRegistration) => mutate({ signInAfterRegistration })}
        />
        <Switch
          label={t(settingSwitchLabels.creatorProBilling)}
          hint={t`Users need a paid plan to turn on Creator Account.`}
          checked={current.creatorProBilling ?? settings.creatorProBilling}
          disabled={isPending}
          onChange={(creatorProBilling) => mutate({ creatorProBilling })}
        />
      </Box>
    </Section>
  )
}
