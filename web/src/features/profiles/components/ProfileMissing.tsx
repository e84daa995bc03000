import { useQuery } from '@tanstack/react-query'
import { isolated } from '@/lib/bidi'
import { displayName } from '@/lib/person'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { CurtainDrawing } from '@/ui/drawings'
import { EmptyState } from '@/ui/states'
import { useBlock } from '../api/block'
import { blockedQuery } from '../api/people'

/** Nobody to show: there is no such person, or the viewer has blocked them and can take that back here. */
export function ProfileMissing({ identifier }: { identifier: string }) {
  const { isAuthenticated } = useCurrentUser()
  const { data } = useQuery({ ...blockedQuery, enabled: isAuthenticated })
  const wanted = identifier.toLowerCase()
  const blocked = data?.find((one) => one.id === wanted || one.username.toLowerCase() === wanted)
  if (blocked) return <Blocked user={blocked} name={displayName(blocked)} />
  return (
    <EmptyState
      as="h1"
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

function Blocked({ user, name }: { user: { id: string }; name: string }) {
  const block = useBlock(user, name)
  return (
    <EmptyState
      as="h1"
      drawing={<CurtainDrawing />}
      title={`You blocked ${isolated(name)}`}
      text="You do not see each other’s profiles and posts."
      action={
        <Button variant="outline" pending={block.isPending} onClick={() => block.mutate(false)}>
          Unblock
        </Button>
      }
    />
  )
}
