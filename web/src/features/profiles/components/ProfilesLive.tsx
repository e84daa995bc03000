import { useOwnCard } from '@/lib/ownCard'
import { useCurrentUser } from '@/lib/session'
import { useProfilesLive } from '../realtime/useProfilesLive'

/** Draws nothing: keeps what is known about people live while somebody is signed in. Mounted once, in the shell. */
export default function ProfilesLive() {
  const { user } = useCurrentUser()
  useProfilesLive(user?.id)
  useOwnCard(user)
  return null
}
