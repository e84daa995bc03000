import { useRef } from 'react'
import { Button } from '@/ui/Button'
import { useDownloadData } from '../api/account'
import { useRestoreFocus } from '../useRestoreFocus'
import { SettingsPanel } from './SettingsPanel'

/** The archive of what one made and of what is known of one. */
export function DataExport() {
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
