import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { useDownloadData } from '../api/account'
import { useRestoreFocus } from '../focus'
import { CreatorProPlan } from './CreatorProPlan'
import { DeleteAccountDialog } from './DeleteAccountDialog'
import { SettingsPanel } from './SettingsSection'
import { Subscriptions } from './Subscriptions'

/** Shows the Creator Pro plan, the subscriptions, the data export and account deletion. */
export function BillingTab() {
  const { data: config } = useQuery(configQuery)
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      {config && config.payments !== 'stripe' && (
        <Box paddingInline={{ base: '4', md: '1' }}>
          <PaymentNotice payments={config.payments} context="purchases" />
        </Box>
      )}
      <CreatorProPlan />
      <Subscriptions />
      <DataExport />
      <DangerZone />
    </Box>
  )
}

/** Shows the panel to download an export of the user's data. */
function DataExport() {
  const download = useDownloadData()
  const button = useRef<HTMLButtonElement>(null)
  useRestoreFocus(download.isPending, () => button.current)
  return (
    <SettingsPanel
      title="Your data"
      text="What you made here and what this site knows about you, as one JSON file: your profile, posts, messages, relations, payments and settings. Pictures and videos are in it by their addresses."
      action={
        <Button
          ref={button}
          variant="outline"
          pending={download.isPending}
          pendingLabel="Collecting..."
          onClick={() => download.mutate()}
        >
          Download my data
        </Button>
      }
    />
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
      title="Danger Zone"
      text="Deleting your account is for good: nobody can bring it back. You may want to download your data first."
      action={
        <Button ref={button} variant="danger" onClick={() => setDialogOpen(true)}>
          Delete Account
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
