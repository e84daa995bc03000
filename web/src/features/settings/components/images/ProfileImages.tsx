import { useCurrentUser } from '@/lib/session'
import { SettingsSection } from '../SettingsSection'
import { OwnCover } from './OwnCover'
import { OwnPhoto } from './OwnPhoto'

/** One's own picture and cover: what they are, and how they are replaced. */
export function ProfileImages() {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <SettingsSection title="Photos" text="Everybody sees your photo; your background stands on your profile.">
      <OwnPhoto user={user} />
      <OwnCover url={user.backgroundImageUrl} />
    </SettingsSection>
  )
}
