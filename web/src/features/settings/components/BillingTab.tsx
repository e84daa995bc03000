import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { formatBytes } from '@/lib/format'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { useRestoreFocus } from '@/ui/restore-focus'
import { storageUsageQuery, useDownloadData } from '../api/account'
import { CreatorProPlan } from './CreatorProPlan'
import { DeleteAccountDialog } from './DeleteAccountDialog'
import { SettingsPanel } from './SettingsSection'
import { Subscriptions } from './Subscriptions'

/** Shows the Creator Pro plan, the subscriptions, the used storage, the data export and account deletion. */
export function BillingTab() {
  const { data: config } = useQuery(configQuery)
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      {config && config.payments !== 'stripe' && (
        <Box paddingInline={{ base: '4', md: '1' }}>
          <PaymentNotice payments={config.payments} context="subscriptions" />
        </Box>
      )}
      <CreatorProPlan />
      <Subscriptions />
      <StoragePanel />
      <DataExport />
      <DangerZone />
    </Box>
  )
}

/** Shows how much storage the user's uploads take. */
function StoragePanel() {
  const { data: usage } = useQuery(storageUsageQuery)
  if (!usage) return null
  const used = formatBytes(usage.usedBytes)
  const quota = formatBytes(usage.quotaBytes)
  const isFull = usage.usedBytes >= usage.quotaBytes
  return (
    <SettingsPanel
      title={t`Storage`}
      text={
        isFull
          ? t`You’ve used ${used} of ${quota}. Delete posts or gallery images to upload more.`
          : t`You’ve used ${used} of ${quota} for photos and videos.`
      }
      action={null}
    />
  )
}

/** Shows the panel to download an export of the user's data. */
function DataExport() {
  const download = useDownloadData()
  const button = useRef<HTMLButtonElement>(null)
  useRestoreFocus(download.isPending, () => button.current)
  return (
    <SettingsPanel
      title={t`Your data`}
      text={t`Download everything as one JSON file: profile, posts, messages, follows, payments and settings. Photos and videos are included as links.`}
      action={
        <Button
          ref={button}
          variant="outline"
          pending={download.isPending}
          pendingLabel={t`Preparing…`}
          onClick={() => download.mutate()}
        >
          {t`Download my data`}
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
      title={t`Danger Zone`}
      text={t`Deleting your account is permanent. Consider downloading your data first.`}
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
