import { useSyncOwnUserCard } from '@/profile/own-profile'
import { useCurrentUser } from '@/session/session'
import { useUsersRealtime } from './realtime'

/** Draws nothing: keeps what is known about people live while somebody is signed in. Mounted once, in the shell. */
export default function UsersRealtime() {
  const { user } = useCurrentUser()
  useUsersRealtime(user?.id)
  useSyncOwnUserCard(user)
  return null
}
