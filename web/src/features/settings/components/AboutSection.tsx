import { Box } from '@chakra-ui/react'
import { genders, relationshipStatuses } from '@contract/about.ts'
import {
  type AboutField,
  aboutLabels,
  genderLabels,
  relationshipLabels,
  visibilitySwitches,
} from '@/profile/about-labels'
import { FieldGrid, ProfileSelectField, ProfileTextField, ShowOnProfileSwitch } from './ProfileFields'
import { SettingsSection } from './SettingsSection'

const relationships = relationshipStatuses.map((value) => [value, relationshipLabels[value]] as const)
const genderOptions = genders.map((value) => [value, genderLabels[value]] as const)

/** A field's name, what it is called, and the switch that shows it; `what` says it to who cannot see where it stands. */
function about(name: AboutField, what: string) {
  return {
    name,
    label: aboutLabels[name],
    aside: <ShowOnProfileSwitch name={visibilitySwitches[name]} what={what} />,
  }
}

/** What people may tell about themselves, each part with its own switch. */
export function AboutSection() {
  return (
    <SettingsSection
      title="About you"
      text="Everything here is optional. What is shown stands on the About tab of your profile; what is hidden only you and the admins of this site see."
    >
      <FieldGrid>
        <ProfileTextField {...about('livesIn', 'where you live')} autoComplete="address-level2" />
        <ProfileTextField {...about('fromLocation', 'where you are from')} autoComplete="off" />
        <ProfileTextField {...about('studiedAt', 'where you studied')} autoComplete="off" />
        <ProfileSelectField {...about('relationshipStatus', 'your relationship')} options={relationships} />
        <ProfileSelectField {...about('gender', 'your gender')} options={genderOptions} autoComplete="sex" />
        <ProfileTextField {...about('age', 'your age')} inputMode="numeric" autoComplete="off" />
        <Box gridColumn="1 / -1">
          <ProfileTextField
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
