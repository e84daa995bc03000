import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { PageHeader, VisuallyHidden } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { BillingTab } from '../components/BillingTab'
import { DeveloperTab } from '../components/DeveloperTab'
import { NotificationsTab } from '../components/NotificationsTab'
import { PrivacyTab } from '../components/PrivacyTab'
import {
  ProfileFormProvider,
  ProfileImageProvider,
  useUnsavedChanges,
} from '../components/ProfileFormProvider'
import { ProfileTab, UnsavedChangesDialog } from '../components/ProfileTab'
import { SecurityTab } from '../components/SecurityTab'

type RenderGallery = (owner: { userId: string; name: string }) => ReactNode

/**
 * Shows `/settings?tab=&field=`. The tab is in the URL, so that it can be linked and survives a reload; `field` is the
 * profile field to focus.
 *
 * @param media renders the user's gallery
 * @param autoPosts the link to the drafts that AI writes for the user
 */
export default function SettingsPage({ media, autoPosts }: { media: RenderGallery; autoPosts: ReactNode }) {
  const { user } = useCurrentUser()
  useDocumentTitle(t`Settings`)
  return (
    <>
      <PageHeader title={t`Settings`} />
      {user && <Settings key={user.id} user={user} media={media} autoPosts={autoPosts} />}
    </>
  )
}

function Settings({ user, media, autoPosts }: { user: OwnUser; media: RenderGallery; autoPosts: ReactNode }) {
  const [params, setParams] = useSearchParams()
  const requestedTab = params.get('tab')
  const tabs = [
    { value: 'profile', label: <ProfileTabLabel />, content: <ProfileTab autoPosts={autoPosts} /> },
    { value: 'privacy', label: t`Privacy`, content: <PrivacyTab /> },
    { value: 'media', label: t`Media`, content: media({ userId: user.id, name: displayName(user) }) },
    { value: 'notifications', label: t`Notifications`, content: <NotificationsTab /> },
    { value: 'security', label: t`Security`, content: <SecurityTab /> },
    { value: 'billing', label: t`Billing`, content: <BillingTab /> },
    { value: 'developer', label: t`Developer`, content: <DeveloperTab /> },
  ]
  const activeTab = tabs.find((tab) => tab.value === requestedTab) ?? tabs[0]
  return (
    <ProfileFormProvider user={user}>
      <ProfileImageProvider>
        <Tabs
          side
          label={t`Settings`}
          tabs={tabs}
          value={activeTab?.value ?? ''}
          // Flush, so that an immediate second click sees the new tab.
          onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
        />
        <UnsavedChangesDialog
          onSaveFailed={(field) => setParams({ tab: 'profile', ...(field && { field }) }, { replace: true })}
        />
      </ProfileImageProvider>
    </ProfileFormProvider>
  )
}

/** Shows a dot while the profile has unsaved changes, which stay when the user opens another tab. */
function ProfileTabLabel() {
  const { form, cover } = useUnsavedChanges()
  return (
    <Box as="span" display="inline-flex" alignItems="center" gap="1.5">
      {t`Profile`}
      {(form || cover) && (
        <>
          <Box as="span" aria-hidden width="1.5" height="1.5" borderRadius="full" bg="ember.ring" />
          <VisuallyHidden>{t`with unsaved changes`}</VisuallyHidden>
        </>
      )}
    </Box>
  )
}
