import { moderate, type Subject, useReport } from '@/lib/reporting'
import { useCurrentUser } from '@/lib/session'
import { FlagIcon, ShieldIcon } from './icons'
import { MenuItem } from './Menu'

const labels = {
  post: 'Report post',
  comment: 'Report comment',
  message: 'Report message',
  user: 'Report person',
} as const

/** In the menu of something of somebody else's: reports it; an admin decides about it as well. */
export function ReportItems({ subject }: { subject: Subject }) {
  const { user } = useCurrentUser()
  const report = useReport()
  return (
    <>
      <MenuItem value="report" onSelect={() => report(subject)}>
        <FlagIcon /> {labels[subject.kind]}
      </MenuItem>
      {user?.isAdmin && (
        <MenuItem value="moderate" onSelect={() => moderate(subject)}>
          <ShieldIcon /> Moderate…
        </MenuItem>
      )}
    </>
  )
}
