import { Box } from '@chakra-ui/react'
import { genders, relationshipStatuses } from '@contract/about.ts'
import { genderNames, relationshipNames } from '../../profile/words'
import { SettingsSection } from '../SettingsSection'
import { FieldGrid, ProfileSelect, ProfileText, ShowSwitch } from './fields'

const relationships = relationshipStatuses.map((value) => [value, relationshipNames[value]] as const)
const genderOptions = genders.map((value) => [value, genderNames[value]] as const)

/** What people may tell about themselves, each part with its own switch. */
export function AboutSection() {
  return (
    <SettingsSection
      title="About you"
      text="Everything here is optional. What is shown stands on the About tab of your profile; what is hidden only you see."
    >
      <FieldGrid>
        <ProfileText
          name="livesIn"
          label="Lives in"
          autoComplete="address-level2"
          aside={<ShowSwitch name="showLivesIn" what="where you live" />}
        />
        <ProfileText
          name="fromLocation"
          label="From"
          autoComplete="off"
          aside={<ShowSwitch name="showFrom" what="where you are from" />}
        />
        <ProfileText
          name="studiedAt"
          label="Studied at"
          aside={<ShowSwitch name="showStudiedAt" what="where you studied" />}
        />
        <ProfileSelect
          name="relationshipStatus"
          label="Relationship"
          options={relationships}
          aside={<ShowSwitch name="showRelationshipStatus" what="your relationship" />}
        />
        <ProfileSelect
          name="gender"
          label="Gender"
          options={genderOptions}
          autoComplete="sex"
          aside={<ShowSwitch name="showGender" what="your gender" />}
        />
        <ProfileText
          name="age"
          label="Age"
          inputMode="numeric"
          autoComplete="off"
          aside={<ShowSwitch name="showAge" what="your age" />}
        />
        <Box gridColumn="1 / -1">
          <ProfileText
            name="website"
            label="Website"
            inputMode="url"
            autoComplete="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="example.com"
            aside={<ShowSwitch name="showWebsite" what="your website" />}
          />
        </Box>
      </FieldGrid>
    </SettingsSection>
  )
}
