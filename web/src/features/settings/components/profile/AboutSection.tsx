import { Box } from '@chakra-ui/react'
import { genders, relationshipStatuses } from '@contract/about.ts'
import { type AboutField, aboutLabels, genderWords, relationshipWords, shownBy } from '@/lib/aboutWords'
import { SettingsSection } from '../SettingsSection'
import { FieldGrid, ProfileSelect, ProfileText, ShowSwitch } from './fields'

const relationships = relationshipStatuses.map((value) => [value, relationshipWords[value]] as const)
const genderOptions = genders.map((value) => [value, genderWords[value]] as const)

/** A field's name, what it is called, and the switch that shows it; `what` says it to who cannot see where it stands. */
function about(name: AboutField, what: string) {
  return { name, label: aboutLabels[name], aside: <ShowSwitch name={shownBy[name]} what={what} /> }
}

/** What people may tell about themselves, each part with its own switch. */
export function AboutSection() {
  return (
    <SettingsSection
      title="About you"
      text="Everything here is optional. What is shown stands on the About tab of your profile; what is hidden only you and the admins of this site see."
    >
      <FieldGrid>
        <ProfileText {...about('livesIn', 'where you live')} autoComplete="address-level2" />
        <ProfileText {...about('fromLocation', 'where you are from')} autoComplete="off" />
        <ProfileText {...about('studiedAt', 'where you studied')} autoComplete="off" />
        <ProfileSelect {...about('relationshipStatus', 'your relationship')} options={relationships} />
        <ProfileSelect {...about('gender', 'your gender')} options={genderOptions} autoComplete="sex" />
        <ProfileText {...about('age', 'your age')} inputMode="numeric" autoComplete="off" />
        <Box gridColumn="1 / -1">
          <ProfileText
            {...about('website', 'your website')}
            inputMode="url"
            autoComplete="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="example.com"
          />
        </Box>
      </FieldGrid>
    </SettingsSection>
  )
}
