import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Badge } from '@/ui/Badge'
import { ShieldIcon, SparkIcon } from '@/ui/icons'

/** Shows whether a user is a creator or an admin. */
export function ProfileBadges({ user }: { user: Pick<UserCard, 'isCreator' | 'isAdmin'> }) {
  return (
    <>
      {user.isCreator && (
        <Badge tone="ember">
          <SparkIcon /> {t`Creator`}
        </Badge>
      )}
      {user.isAdmin && (
        <Badge tone="neutral">
          <ShieldIcon /> {t`Admin`}
        </Badge>
      )}
    </>
  )
}
