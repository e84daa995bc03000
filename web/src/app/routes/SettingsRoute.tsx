import { AutoPostsLink } from '@/features/auto-posting/components/AutoPostsLink'
import MediaGallery from '@/features/gallery/components/MediaGallery'
import SettingsPage from '@/features/settings/pages/SettingsPage'

/** Settings, with the person's own gallery among them, and the way to what a program writes for them. */
export default function SettingsRoute() {
  return <SettingsPage media={(of) => <MediaGallery {...of} own />} autoPosts={<AutoPostsLink />} />
}
