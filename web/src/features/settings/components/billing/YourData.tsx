import { Button } from '@/ui/Button'
import { useDownload } from '../../api/account'
import { Panel } from '../Panel'

/** The archive of what one made and is known by. */
export function YourData() {
  const download = useDownload()
  return (
    <Panel
      title="Your data"
      text="Everything you made here or are known by, as one JSON file: your profile, posts, messages, relations, payments and settings. Pictures and videos are in it by their addresses."
      action={
        <Button
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
