import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { TextLink } from '@/ui/layout'
import { CreatorProPlan } from './CreatorProPlan'
import { DeleteAccountDialog } from './DeleteAccountDialog'
import { SettingsPanel } from './SettingsSection'
import { Subscriptions } from './Subscriptions'

/** Shows the Creator Pro plan, the subscriptions and account deletion. */
export function BillingTopic() {
  const { data: config } = useQuery(configQuery)
  return (
    <>
      {config && config.payments !== 'stripe' && (
        <Box paddingInline={{ base: '4', md: '1' }}>
          <PaymentNotice payments={config.payments} context="subscriptions" />
        </Box>
      )}
      <CreatorProPlan />
      <Subscriptions />
      <DangerZone />
    </>
  )
}

/** Shows the panel to delete the account. */
function DangerZone() {
  const { user } = useCurrentUser()
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  if (!user) return null
  return (
    <SettingsPanel
      danger
      title={t`Danger Zone`}
      text={
        <Trans>
          Deleting your account is permanent. Consider{' '}
          <TextLink to={paths.settings.getHref('data')} underlined>
            downloading your data
          </TextLink>{' '}
          first.
        </Trans>
      }
      action={
        <Button ref={button} variant="danger" onClick={() => setDialogOpen(true)}>
          {t`Delete Account`}
        </Button>
      }
    >
      <DeleteAccountDialog
        userId={user.id}
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        finalFocus={() => button.current}
      />
    </SettingsPanel>
  )
}
