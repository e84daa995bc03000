import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type ReactNode, useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { openUpgradeDialog, useNeedsCreatorPro } from '@/billing/creator-pro'
import { dollars } from '@/lib/format'
import { countries } from '../countries'
import { ProfileSelectField, ProfileSwitch } from './ProfileFields'
import { useProfileFields } from './ProfileFormProvider'
import { SettingsSection } from './SettingsSection'

/** Where somebody lives, for counting alone. */
export function CountrySection() {
  const options = useMemo(countries, [])
  return (
    <SettingsSection
      title="Audience statistics"
      text="Your country is shown to nobody. It is only counted together with others’, so that creators learn where their audience is."
    >
      <Box maxWidth={{ sm: '20rem' }}>
        <ProfileSelectField name="country" label="Country" autoComplete="country" options={options} />
      </Box>
    </SettingsSection>
  )
}

/** Nothing before it is known. */
function costs(mustPay: boolean | undefined): string {
  if (mustPay === undefined) return ''
  return mustPay
    ? ` It costs ${dollars(limits.creatorProPrice)} a month here.`
    : ' You can switch it off again.'
}

/** Being a creator, and what comes with it. `autoPosts` leads to what a program writes for them, where there is any. */
export function CreatorSection({ autoPosts }: { autoPosts: ReactNode }) {
  const { control } = useProfileFields()
  const [isCreator, allowed] = useWatch({ control, name: ['isCreator', 'allowAutoPosting'] })
  const mustPay = useNeedsCreatorPro()
  return (
    <SettingsSection title="Creator">
      <ProfileSwitch
        name="isCreator"
        label="Creator Account"
        hint={`Creator Pro: a creator’s ring and badge, and the way into Analytics and Earnings.${costs(mustPay)}`}
        refuse={(on) => {
          if (!on || !mustPay) return false
          openUpgradeDialog()
          return true
        }}
      />
      {isCreator && (
        <>
          <ProfileSwitch
            name="allowAutoPosting"
            label="Posts written by AI"
            hint="You agree that a program may write posts in your name: your name, your bio and your latest public posts are sent to an AI provider for that. Nothing is posted until an admin has switched it on for you as well, and you can take this back at any time."
          />
          {autoPosts}
        </>
      )}
      {isCreator && allowed && (
        <ProfileSwitch
          name="approveAutoPosts"
          label="Ask me before each post"
          hint="What was written waits for you, and is posted only when you say so."
        />
      )}
    </SettingsSection>
  )
}
