import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { paths } from '@/lib/paths'
import { displayName, isolateBidi } from '@/lib/text'
import { useBlockUser } from '@/moderation/api'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { CurtainIllustration } from '@/ui/illustrations'
import { isFocusLost } from '@/ui/restore-focus'
import { EmptyState } from '@/ui/states'
import { blockedQuery } from '../api'

/**
 * Shows that the user does not exist, or that the viewer has blocked them, with a button to unblock them.
 *
 * @param restoreFocus whether to focus the unblock button if the focus was lost when the visible profile disappeared
 */
export function ProfileNotFound({
  identifier,
  restoreFocus = false,
  as = 'h1',
}: {
  identifier: string
  restoreFocus?: boolean
  /** The level of the heading. */
  as?: 'h1' | 'h2'
}) {
  const { isAuthenticated } = useCurrentUser()
  const { data } = useQuery({ ...blockedQuery, enabled: isAuthenticated })
  const normalized = identifier.toLowerCase()
  const blockedUser = data?.find(
    ({ id, username }) => id === normalized || username.toLowerCase() === normalized,
  )
  if (blockedUser) return <BlockedProfile user={blockedUser} restoreFocus={restoreFocus} as={as} />
  return (
    <EmptyState
      as={as}
      illustration={<CurtainIllustration />}
      title={t`User not found`}
      text={t`This account doesn’t exist, or you don’t have access to it.`}
      action={
        <ButtonLink to={paths.home.getHref()} variant="ember">
          {t`Back to home`}
        </ButtonLink>
      }
    />
  )
}

function BlockedProfile({
  user,
  restoreFocus,
  as,
}: {
  user: UserCard
  restoreFocus: boolean
  as: 'h1' | 'h2'
}) {
  const plainName = displayName(user)
  const name = isolateBidi(plainName)
  const block = useBlockUser(user, plainName)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (restoreFocus && isFocusLost()) button.current?.focus()
  }, [restoreFocus])
  return (
    <EmptyState
      as={as}
      illustration={<CurtainIllustration />}
      title={t`You blocked ${name}`}
      text={t`You can’t see each other’s posts or profiles.`}
      action={
        <Button ref={button} variant="outline" pending={block.isPending} onClick={() => block.mutate(false)}>
          {t`Unblock`}
        </Button>
      }
    />
  )
}
