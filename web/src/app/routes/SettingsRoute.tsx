import { AutoPostsLink } from '@/features/auto-posting/components/AutoPostsLink'
import { Gallery } from '@/features/gallery/components/Gallery'
import SettingsPage from '@/features/settings/pages/SettingsPage'

/** Shows the settings with the user's gallery and the link to their auto-posting drafts. */
export default function SettingsRoute() {
  return (
    <SettingsPage
      media={(profile) => <Gallery key={profile.userId} {...profile} own />}
      autoPosts={<AutoPostsLink />}
    />
  )
}
