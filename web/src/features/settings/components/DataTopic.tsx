import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { formatBytes } from '@/lib/format'
import { Button } from '@/ui/Button'
import { useRestoreFocus } from '@/ui/restore-focus'
import { storageUsageQuery, useDownloadData } from '../api/account'
import { SettingsPanel } from './SettingsSection'

/** Shows the used storage and the data export. */
export function DataTopic() {
  return (
    <>
      <StoragePanel />
      <DataExport />
    </>
  )
}

/** Shows how much storage the user's uploads take up. */
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
