import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { PageHeader, VisuallyHidden } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { BillingTab } from '../components/BillingTab'
import { NotificationsTab } from '../components/NotificationsTab'
import { PrivacyTab } from '../components/PrivacyTab'
import { ProfileFormProvider } from '../components/ProfileFormProvider'
import { ProfileImageProvider, useUnsavedChanges } from '../components/ProfileImageProvider'
import { ProfileTab } from '../components/ProfileTab'
import { SecurityTab } from '../components/SecurityTab'
import { UnsavedChangesDialog } from '../components/UnsavedChangesDialog'

type Media = (of: { userId: string; name: string }) => ReactNode

/**
 * `/settings?tab=&field=`: the tab is in the address, so that it can be linked and survives a reload; a field of the
 * profile that is named gets the focus. `media` gives the
 * person's gallery, `autoPosts` the way to what a program writes for them.
 */
export default function SettingsPage({ media, autoPosts }: { media: Media; autoPosts: ReactNode }) {
  const { user } = useCurrentUser()
  useDocumentTitle('Settings')
  return (
    <>
      <PageHeader title="Settings" />
      {user && <Settings key={user.id} user={user} media={media} autoPosts={autoPosts} />}
    </>
  )
}

function Settings({ user, media, autoPosts }: { user: OwnUser; media: Media; autoPosts: ReactNode }) {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('tab')
  const tabs = [
    { value: 'profile', label: <ProfileLabel />, content: <ProfileTab autoPosts={autoPosts} /> },
    { value: 'privacy', label: 'Privacy', content: <PrivacyTab /> },
    { value: 'media', label: 'Media', content: media({ userId: user.id, name: displayName(user) }) },
    { value: 'notifications', label: 'Notifications', content: <NotificationsTab /> },
    { value: 'security', label: 'Security', content: <SecurityTab /> },
    { value: 'billing', label: 'Billing', content: <BillingTab /> },
  ]
  const open = tabs.find((tab) => tab.value === wanted) ?? tabs[0]
  return (
    <ProfileFormProvider user={user}>
      <ProfileImageProvider>
        <Tabs
          label="Settings"
          tabs={tabs}
          value={open?.value ?? ''}
          // At once, or a second press would be judged by the tab of before.
          onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
        />
        <UnsavedChangesDialog
          onRefused={(field) => setParams({ tab: 'profile', ...(field && { field }) }, { replace: true })}
        />
      </ProfileImageProvider>
    </ProfileFormProvider>
  )
}

/** Marked while something of it is not saved: it is kept on the other tabs, where it is not in sight. */
function ProfileLabel() {
  const { form, cover } = useUnsavedChanges()
  return (
    <Box as="span" display="inline-flex" alignItems="center" gap="1.5">
      Profile
      {(form || cover) && (
        <>
          <Box as="span" aria-hidden width="1.5" height="1.5" borderRadius="full" bg="ember.ring" />
          <VisuallyHidden>with unsaved changes</VisuallyHidden>
        </>
      )}
    </Box>
  )
}
