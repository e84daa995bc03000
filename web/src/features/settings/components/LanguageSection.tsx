import { t } from '@lingui/core/macro'
import { LanguageSelect } from '@/ui/LanguageSelect'
import { SettingsSection } from './SettingsSection'

/** Shows the choice of the app's language in this browser. */
export function LanguageSection() {
  return (
    <SettingsSection title={t`Display`}>
      <LanguageSelect />
    </SettingsSection>
  )
}
