import { AutoPostsLink } from '@/features/auto-posts/AutoPostsLink'
import MediaGallery from '@/features/media/pages/MediaGallery'
import SettingsPage from '@/features/settings/pages/SettingsPage'

/** Settings, with the person's own gallery among them, and the way to what a program writes for them. */
export default function SettingsScreen() {
  return <SettingsPage media={(of) => <MediaGallery {...of} own />} autoPosts={<AutoPostsLink />} />
}
