import { useCurrentUser } from '@/session/session'
import { AvatarField } from './AvatarField'
import { CoverImageField } from './CoverImageField'
import { SettingsSection } from './SettingsSection'

/** One's own picture and cover: what they are, and how they are replaced. */
export function ProfileImages() {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <SettingsSection title="Photos" text="Everybody sees your photo; your background stands on your profile.">
      <AvatarField user={user} />
      <CoverImageField url={user.backgroundImageUrl} />
    </SettingsSection>
  )
}
