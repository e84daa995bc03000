import { Box } from '@chakra-ui/react'
import { genders, relationshipStatuses, type SocialField, socialSites } from '@contract/about.ts'
import { limits } from '@contract/limits.ts'
import { subscriptionPrice } from '@contract/subscription.ts'
import type { OwnUser } from '@contract/user.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { openUpgradeDialog, useNeedsCreatorPro } from '@/billing/creator-pro'
import { dollars, formatPercent } from '@/lib/format'
import {
  type AboutField,
  aboutLabels,
  genderLabels,
  relationshipLabels,
  visibilitySwitches,
} from '@/profile/about'
import { ResendConfirmationButton } from '@/session/components/EmailConfirmation'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { countries } from '../model'
import { ChangeUsernameDialog, ProfileAddress } from './ChangeUsernameDialog'
import {
  FieldPair,
  FieldRows,
  ProfileBioField,
  ProfileSelectField,
  ProfileSwitch,
  ProfileTextField,
  ShowOnProfileSwitch,
} from './ProfileFields'
import { useProfileFields } from './ProfileFormProvider'
import { SettingsSection } from './SettingsSection'

/** Shows the names, the username and the bio. */
export function IdentitySection({ user }: { user: OwnUser }) {
  return (
    <SettingsSection title={t`Your details`} text={t`Shown on your profile. Your names are always public.`}>
      <FieldRows>
        <FieldPair label={t({ message: 'Name', context: 'first and last name' })}>
          <ProfileTextField name="firstName" label={t`First name`} autoComplete="given-name" />
          <ProfileTextField name="lastName" label={t`Last name`} autoComplete="family-name" />
        </FieldPair>
        <ProfileTextField
          name="fullName"
          label={t`Full name`}
          autoComplete="name"
          hint={t`Shown in messages, and everywhere else if you leave out your first and last name.`}
        />
        <UsernameRow user={user} />
        <ProfileBioField />
      </FieldRows>
    </SettingsSection>
  )
}

/** Shows the username and the address of the profile, with a button that opens a dialog to change them. */
function UsernameRow({ user }: { user: OwnUser }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <Box className="ov-field">
      <Box
        className="ov-field-label"
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
      >
        <Box textStyle="label">{t`Username`}</Box>
        <Box className="ov-field-aside">
          <Button
            ref={button}
            variant="outline"
            size="sm"
            aria-label={t`Change username`}
            aria-haspopup="dialog"
            onClick={() => setDialogOpen(true)}
          >
            {t`Change`}
          </Button>
        </Box>
      </Box>
      <Box minWidth="0" paddingBlock={{ md: '1' }} overflowWrap="anywhere">
        <bdi dir="ltr">@{user.username}</bdi>
        <Box textStyle="small" color="muted">
          <ProfileAddress username={user.username} />
        </Box>
      </Box>
      <ChangeUsernameDialog
        user={user}
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        finalFocus={() => button.current}
      />
    </Box>
  )
}

/** Shows the fields for the email address and the phone number. */
export function ContactSection() {
  return (
    <SettingsSection title={t`Contact details`} text={t`Visible only to you and our admins.`}>
      <FieldRows>
        <div>
          <ProfileTextField
            name="email"
            label={t`Email`}
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
          label={t`Phone number`}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
        />
      </FieldRows>
    </SettingsSection>
  )
}

/** Explains how to confirm the email address, or that a new one takes effect only once it is confirmed. */
function EmailHint() {
  const { user } = useCurrentUser()
  if (user && !user.pendingEmail && !user.emailConfirmed) {
    const { email } = user
    return (
      <Box as="span" overflowWrap="anywhere">
        {t`Confirm ${email} with the link we sent, or enter another address.`}
      </Box>
    )
  }
  if (!user?.pendingEmail) return t`If you change it, we’ll email the new address to confirm.`
  const { email, pendingEmail } = user
  return (
    <Box as="span" overflowWrap="anywhere">
      {t`Confirm ${pendingEmail} with the link we sent. Until then, your address stays ${email}. Enter it again to undo the change.`}
    </Box>
  )
}

/** While an address is unconfirmed, shows a button that resends the confirmation email. */
function ResendEmailButton() {
  const { user } = useCurrentUser()
  if (!user || (!user.pendingEmail && user.emailConfirmed)) return null
  return (
    // Below the control: the label's column and the gap of `FieldRows` are 14.5rem wide.
    <Box marginTop="2" marginInlineStart={{ md: '14.5rem' }}>
      <ResendConfirmationButton user={user} />
    </Box>
  )
}

/** The accessible names of the switches beside the About fields. */
const visibilityLabels: Record<AboutField, MessageDescriptor> = {
  livesIn: msg`Show where you live on your profile`,
  fromLocation: msg`Show where you are from on your profile`,
  studiedAt: msg`Show where you studied on your profile`,
  relationshipStatus: msg`Show your relationship on your profile`,
  gender: msg`Show your gender on your profile`,
  age: msg`Show your age on your profile`,
  website: msg`Show your website on your profile`,
}

/** Returns the props of an About field. */
function aboutFieldProps(name: AboutField) {
  return {
    name,
    label: t(aboutLabels[name]),
    aside: <ShowOnProfileSwitch name={visibilitySwitches[name]} label={t(visibilityLabels[name])} />,
  }
}

/** Shows the optional About fields, each with a switch that makes it visible to others. */
export function AboutSection() {
  return (
    <SettingsSection
      title={t`About you`}
      text={t`All optional. Fields set to “Shown” appear on your About tab. Hidden ones are visible only to you and our admins.`}
    >
      <FieldRows>
        <ProfileTextField {...aboutFieldProps('livesIn')} autoComplete="address-level2" />
        <ProfileTextField {...aboutFieldProps('fromLocation')} autoComplete="off" />
        <ProfileTextField {...aboutFieldProps('studiedAt')} autoComplete="off" />
        <ProfileSelectField
          {...aboutFieldProps('relationshipStatus')}
          options={relationshipStatuses.map((value) => [value, t(relationshipLabels[value])] as const)}
        />
        <ProfileSelectField
          {...aboutFieldProps('gender')}
          options={genders.map((value) => [value, t(genderLabels[value])] as const)}
          autoComplete="sex"
        />
        <ProfileTextField {...aboutFieldProps('age')} inputMode="numeric" autoComplete="off" />
        <ProfileTextField
          {...aboutFieldProps('website')}
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="example.com"
        />
      </FieldRows>
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
      title={t`Social links`}
      aside={<ShowOnProfileSwitch name="showSocialLinks" label={t`Show your social links on your profile`} />}
      text={t`The address of your page on each site.`}
    >
      <FieldRows>
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
      </FieldRows>
    </SettingsSection>
  )
}

/** Shows the country field, which is used only for audience statistics. */
export function CountrySection() {
  const options = useMemo(countries, [])
  return (
    <SettingsSection
      title={t`Audience statistics`}
      text={t`Never shown on your profile. Used only in anonymous totals so creators know where their audience is.`}
    >
      <FieldRows>
        <ProfileSelectField name="country" label={t`Country`} autoComplete="country" options={options} />
      </FieldRows>
    </SettingsSection>
  )
}

/** Returns the hint of the creator switch. `mustPay` is undefined while it is unknown. */
function creatorHint(mustPay: boolean | undefined): string {
  const price = dollars(limits.creatorProPrice)
  if (mustPay === undefined) return t`Creator Pro: premium posts, subscriptions, analytics and payouts.`
  return mustPay
    ? t`Creator Pro: premium posts, subscriptions, analytics and payouts. ${price} per month.`
    : t`Creator Pro: premium posts, subscriptions, analytics and payouts. You can turn it off again.`
}

/** Shows the creator switches. `autoPosts` is the link to the drafts that AI writes for the user. */
export function CreatorSection({ autoPosts }: { autoPosts: ReactNode }) {
  const { control } = useProfileFields()
  const [isCreator, allowAutoPosting] = useWatch({ control, name: ['isCreator', 'allowAutoPosting'] })
  const mustPay = useNeedsCreatorPro()
  return (
    <SettingsSection title={t`Creator`}>
      <ProfileSwitch
        name="isCreator"
        label={t`Creator Account`}
        hint={creatorHint(mustPay)}
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
            label={t`Posts written by AI`}
            hint={t`Let AI draft posts for you. We send your name, bio and recent public posts to our AI provider. Nothing is posted until an admin also turns this on, and you can stop any time.`}
          />
          {autoPosts}
        </>
      )}
      {isCreator && allowAutoPosting && (
        <ProfileSwitch
          name="approveAutoPosts"
          label={t`Ask me before each post`}
          hint={t`Drafts wait for your approval before they’re posted.`}
        />
      )}
    </SettingsSection>
  )
}

const longerSubscriptions = [
  ['quarterlyDiscount', 3],
  ['halfYearlyDiscount', 6],
  ['yearlyDiscount', 12],
] as const

/** Shows the selects for the discounts on subscriptions for several months, with the prices that result. */
export function LongerSubscriptionsSection() {
  const { control } = useProfileFields()
  if (!useWatch({ control, name: 'isCreator' })) return null
  const monthly = dollars(limits.subscriptionPrice)
  return (
    <SettingsSection
      title={t`Longer subscriptions`}
      text={t`Let people subscribe for several months at a time, at a discount on ${monthly} per month. Changes apply to new subscriptions only.`}
    >
      <FieldRows>
        {longerSubscriptions.map(([name, months]) => (
          <ProfileSelectField
            key={name}
            name={name}
            label={plural(months, { one: '# month', other: '# months' })}
            emptyLabel={t`Not offered`}
            options={limits.subscriptionDiscounts.map((percent) => {
              const [discount, price] = [formatPercent(percent), dollars(subscriptionPrice(months, percent))]
              return [String(percent), t`${discount} off (${price})`]
            })}
          />
        ))}
      </FieldRows>
    </SettingsSection>
  )
}
