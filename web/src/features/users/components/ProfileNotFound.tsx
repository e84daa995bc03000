import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isolateBidi } from '@/lib/bidi'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useBlockUser } from '@/moderation/useBlockUser'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { CurtainIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { blockedQuery } from '../api'

/**
 * Nobody to show: there is no such person, or the viewer has blocked them and can take that back here.
 *
 * @param instead it takes the place of a profile that was open: a focus that went with that is caught
 */
export function ProfileNotFound({
  identifier,
  instead = false,
  as = 'h1',
}: {
  identifier: string
  instead?: boolean
  /** The heading's level in the page. */
  as?: 'h1' | 'h2'
}) {
  const { isAuthenticated } = useCurrentUser()
  const { data } = useQuery({ ...blockedQuery, enabled: isAuthenticated })
  const wanted = identifier.toLowerCase()
  const blocked = data?.find((one) => one.id === wanted || one.username.toLowerCase() === wanted)
  if (blocked) return <Blocked user={blocked} name={displayName(blocked)} instead={instead} as={as} />
  return (
    <EmptyState
      as={as}
      drawing={<CurtainIllustration />}
      title="User not found"
      text="There is nobody here by this name, or their profile is not open to you."
      action={
        <ButtonLink to={paths.home.getHref()} variant="ember">
          Back to home
        </ButtonLink>
      }
    />
  )
}

function Blocked({
  user,
  name,
  instead,
  as,
}: {
  user: { id: string }
  name: string
  instead: boolean
  as: 'h1' | 'h2'
}) {
  const block = useBlockUser(user, name)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (instead && document.activeElement === document.body) button.current?.focus()
  }, [instead])
  return (
    <EmptyState
      as={as}
      drawing={<CurtainIllustration />}
      title={`You blocked ${isolateBidi(name)}`}
      text="You do not see each other’s profiles and posts."
      action={
        <Button ref={button} variant="outline" pending={block.isPending} onClick={() => block.mutate(false)}>
          Unblock
        </Button>
      }
    />
  )
}
