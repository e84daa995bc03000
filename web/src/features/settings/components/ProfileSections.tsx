import { Box } from '@chakra-ui/react'
import { genders, relationshipStatuses, type SocialField, socialSites } from '@contract/about.ts'
import { limits } from '@contract/limits.ts'
import { type ReactNode, useMemo, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { openUpgradeDialog, useNeedsCreatorPro } from '@/billing/creator-pro'
import { dollars } from '@/lib/format'
import {
  type AboutField,
  aboutLabels,
  genderLabels,
  relationshipLabels,
  visibilitySwitches,
} from '@/profile/about'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { useResendEmailConfirmation } from '../api/own-user'
import { useRestoreFocus } from '../focus'
import { countries } from '../model'
import {
  FieldGrid,
  ProfileBioField,
  ProfileSelectField,
  ProfileSwitch,
  ProfileTextField,
  ShowOnProfileSwitch,
} from './ProfileFields'
import { useProfileFields } from './ProfileFormProvider'
import { SettingsSection } from './SettingsSection'

/** Shows the fields for names, username, bio and contact details. */
export function IdentitySection() {
  return (
    <>
      <SettingsSection title="Who you are" text="Everybody sees your names. Your bio is on your profile.">
        <FieldGrid>
          <ProfileTextField name="fullName" label="Full name" autoComplete="name" />
          <ProfileTextField
            name="username"
            label="Username"
            // Users sign in with their email, so password managers must not store this as the username.
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
            hint="Letters, numbers, and underscores"
          />
          <ProfileTextField name="firstName" label="First name" autoComplete="given-name" />
          <ProfileTextField name="lastName" label="Last name" autoComplete="family-name" />
          <Box gridColumn="1 / -1">
            <ProfileBioField />
          </Box>
        </FieldGrid>
      </SettingsSection>
      <SettingsSection title="How to reach you" text="Only you and the people who run this site see these.">
        <FieldGrid>
          <div>
            <ProfileTextField
              name="email"
              label="Email"
              type="email"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              hint={<EmailHint />}
            />
            <ResendEmailButton />
          </div>
          <ProfileTextField
            name="phoneNumber"
            label="Phone number"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
          />
        </FieldGrid>
      </SettingsSection>
    </>
  )
}

/** Explains that a new email address takes effect only when it is confirmed. */
function EmailHint() {
  const { user } = useCurrentUser()
  if (!user?.pendingEmail) return <>Another address counts once you have confirmed it by mail.</>
  return (
    <Box as="span" overflowWrap="anywhere">
      Confirm {user.pendingEmail} by the mail we sent. Until then your address stays {user.email}; enter that
      again to take the change back.
    </Box>
  )
}

/** Shows a button that requests the confirmation mail again while an email address is pending. */
function ResendEmailButton() {
  const { user } = useCurrentUser()
  const { mutate, isPending } = useResendEmailConfirmation()
  const button = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isPending, () => button.current)
  const pendingEmail = user?.pendingEmail
  if (!pendingEmail) return null
  return (
    <Button
      ref={button}
      size="sm"
      variant="outline"
      marginTop="2"
      aria-label={`Send again: the mail to ${pendingEmail}`}
      pending={isPending}
      onClick={() => mutate(pendingEmail)}
    >
      Send again
    </Button>
  )
}

const relationshipOptions = relationshipStatuses.map((value) => [value, relationshipLabels[value]] as const)
const genderOptions = genders.map((value) => [value, genderLabels[value]] as const)

/** Returns the props of an About field. `what` names the field in the switch's accessible name. */
function aboutFieldProps(name: AboutField, what: string) {
  return {
    name,
    label: aboutLabels[name],
    aside: <ShowOnProfileSwitch name={visibilitySwitches[name]} what={what} />,
  }
}

/** Shows the optional About fields, each with a switch that makes it visible to others. */
export function AboutSection() {
  return (
    <SettingsSection
      title="About you"
      text="Everything here is optional. What is shown stands on the About tab of your profile; what is hidden only you and the admins of this site see."
    >
      <FieldGrid>
        <ProfileTextField {...aboutFieldProps('livesIn', 'where you live')} autoComplete="address-level2" />
        <ProfileTextField {...aboutFieldProps('fromLocation', 'where you are from')} autoComplete="off" />
        <ProfileTextField {...aboutFieldProps('studiedAt', 'where you studied')} autoComplete="off" />
        <ProfileSelectField
          {...aboutFieldProps('relationshipStatus', 'your relationship')}
          options={relationshipOptions}
        />
        <ProfileSelectField
          {...aboutFieldProps('gender', 'your gender')}
          options={genderOptions}
          autoComplete="sex"
        />
        <ProfileTextField {...aboutFieldProps('age', 'your age')} inputMode="numeric" autoComplete="off" />
        <Box gridColumn="1 / -1">
          <ProfileTextField
            {...aboutFieldProps('website', 'your website')}
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

/** The social link fields in display order, each with an example URL. */
const socialLinkExamples: [SocialField, string][] = [
  ['tiktokUrl', 'tiktok.com/@you'],
  ['xUrl', 'x.com/you'],
  ['instagramUrl', 'instagram.com/you'],
  ['facebookUrl', 'facebook.com/you'],
  ['pinterestUrl', 'pinterest.com/you'],
  ['twitchUrl', 'twitch.tv/you'],
  ['snapchatUrl', 'snapchat.com/add/you'],
  ['youtubeUrl', 'youtube.com/@you'],
  ['onlyfansUrl', 'onlyfans.com/you'],
  ['fanfixUrl', 'fanfix.io/you'],
]

/** Shows the social link fields, with one switch for all of them. */
export function LinksSection() {
  return (
    <SettingsSection
      title="Social links"
      aside={<ShowOnProfileSwitch name="showSocialLinks" what="your social links" />}
      text="The address of your page on each site."
    >
      <FieldGrid>
        {socialLinkExamples.map(([name, example]) => (
          <ProfileTextField
            key={name}
            name={name}
            label={socialSites[name].name}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={example}
          />
        ))}
      </FieldGrid>
    </SettingsSection>
  )
}

/** Shows the country field, which is used only for audience statistics. */
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

/** Returns the hint about the price of Creator Pro, or an empty string while it is unknown whether payment is needed. */
function priceHint(mustPay: boolean | undefined): string {
  if (mustPay === undefined) return ''
  return mustPay
    ? ` It costs ${dollars(limits.creatorProPrice)} a month here.`
    : ' You can switch it off again.'
}

/** Shows the creator switches. `autoPosts` is the link to the drafts that AI writes for the user. */
export function CreatorSection({ autoPosts }: { autoPosts: ReactNode }) {
  const { control } = useProfileFields()
  const [isCreator, allowAutoPosting] = useWatch({ control, name: ['isCreator', 'allowAutoPosting'] })
  const mustPay = useNeedsCreatorPro()
  return (
    <SettingsSection title="Creator">
      <ProfileSwitch
        name="isCreator"
        label="Creator Account"
        hint={`Creator Pro: a creator’s ring and badge, and the way into Analytics and Earnings.${priceHint(mustPay)}`}
        onBeforeChange={(on) => {
          if (!on || !mustPay) return true
          openUpgradeDialog()
          return false
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
      {isCreator && allowAutoPosting && (
        <ProfileSwitch
          name="approveAutoPosts"
          label="Ask me before each post"
          hint="What was written waits for you, and is posted only when you say so."
        />
      )}
    </SettingsSection>
  )
}
