import type { AdminUser } from '@contract/admin.ts'
import { fullTime, longDate } from '@/lib/format'
import { Badge } from '@/ui/Badge'
import { SparkIcon } from '@/ui/icons'

/** What an account is, and what keeps it from anything, in a word each. */
export function UserBadges({ person, needsApproval }: { person: AdminUser; needsApproval: boolean }) {
  const waits = needsApproval && !person.approvedAt && !person.isAdmin
  return (
    <>
      {person.isAdmin && <Badge tone="gold">Admin</Badge>}
      {person.isCreator && <Badge tone="ember">Creator</Badge>}
      {person.autoPostingEnabled && (
        <Badge>
          <SparkIcon />
          Auto-Post
        </Badge>
      )}
      {person.suspended && (
        <Badge tone="danger">
          {person.suspendedUntil ? (
            <span>
              Suspended until{' '}
              <time dateTime={person.suspendedUntil} title={fullTime(person.suspendedUntil)}>
                {longDate(person.suspendedUntil)}
              </time>
            </span>
          ) : (
            'Suspended until lifted'
          )}
        </Badge>
      )}
      {waits && <Badge tone="gold">Waiting for approval</Badge>}
      {person.readOnlyReason && !person.suspended && !waits && <Badge tone="danger">Read-only</Badge>}
    </>
  )
}
