import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { displayName } from '@/lib/text'

/** Returns a user's name, or 'Deleted user' if the account no longer exists. */
export const userName = (user: UserCard | null): string => displayName(user, t`Deleted user`)
