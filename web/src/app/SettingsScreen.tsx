import MediaGallery from '@/features/media/pages/MediaGallery'
import SettingsPage from '@/features/settings/pages/SettingsPage'

/** Settings, with the person's own gallery among them. */
export default function SettingsScreen() {
  return <SettingsPage media={(of) => <MediaGallery {...of} own />} />
}
