import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isolated } from '@/lib/bidi'
import { displayName } from '@/lib/person'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { CurtainDrawing } from '@/ui/drawings'
import { EmptyState } from '@/ui/states'
import { useBlock } from '../api/block'
import { blockedQuery } from '../api/people'

/**
 * Nobody to show: there is no such person, or the viewer has blocked them and can take that back here.
 *
 * @param instead it takes the place of a profile that was open: a focus that went with that is caught
 */
export function ProfileMissing({
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
      drawing={<CurtainDrawing />}
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
  const block = useBlock(user, name)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (instead && document.activeElement === document.body) button.current?.focus()
  }, [instead])
  return (
    <EmptyState
      as={as}
      drawing={<CurtainDrawing />}
      title={`You blocked ${isolated(name)}`}
      text="You do not see each other’s profiles and posts."
      action={
        <Button ref={button} variant="outline" pending={block.isPending} onClick={() => block.mutate(false)}>
          Unblock
        </Button>
      }
    />
  )
}
