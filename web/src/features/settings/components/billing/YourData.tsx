import { useRef } from 'react'
import { Button } from '@/ui/Button'
import { useDownload } from '../../api/account'
import { useFocusAfter } from '../../useFocusAfter'
import { Panel } from '../Panel'

/** The archive of what one made and of what is known of one. */
export function YourData() {
  const download = useDownload()
  const button = useRef<HTMLButtonElement>(null)
  useFocusAfter(download.isPending, () => button.current)
  return (
    <Panel
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
