import { lazy, Suspense } from 'react'
import { AutoPostsLink } from '@/features/auto-posting/components/AutoPostsLink'
import { Gallery } from '@/features/gallery/components/Gallery'
import { PostSlotsProvider } from '@/features/messages/post-slots'
import SettingsPage from '@/features/settings/pages/SettingsPage'
import { Skeleton } from '@/ui/Skeleton'
import { postSlots } from './post-slots'

const WelcomeMessageForm = lazy(() => import('@/features/messages/components/WelcomeMessageForm'))

/** Shows the settings with the user's gallery, welcome message and the link to their auto-posting drafts. */
export default function SettingsRoute() {
  return (
    <SettingsPage
      media={(profile) => <Gallery key={profile.userId} {...profile} own />}
      autoPosts={<AutoPostsLink />}
      welcomeMessage={(userId) => (
        <PostSlotsProvider value={postSlots}>
          <Suspense fallback={<Skeleton height="8rem" borderRadius="md" />}>
            <WelcomeMessageForm me={userId} />
          </Suspense>
        </PostSlotsProvider>
      )}
    />
  )
}
