import { t } from '@lingui/core/macro'
import { LanguageSelect } from '@/ui/LanguageSelect'
import { useCoverImageDraft } from './ProfileFormProvider'
import { SettingsSection } from './SettingsSection'

/**
 * Shows the setting for the app's language in this browser. The setting is disabled while changing it would discard a
 * chosen cover.
 */
export function LanguageSection() {
  const { previewUrl, isPreparing } = useCoverImageDraft()
  const hasCoverDraft = isPreparing || previewUrl !== null
  return (
    <SettingsSection title={t`Display`}>
      <LanguageSelect
        disabled={hasCoverDraft}
        hint={hasCoverDraft ? t`Upload or cancel your new background image first.` : undefined}
      />
    </SettingsSection>
  )
}
