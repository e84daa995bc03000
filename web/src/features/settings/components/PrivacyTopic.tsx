import { Box, chakra } from '@chakra-ui/react'
import { ProfileVisibility } from '@contract/profile-visibility.ts'
import { PrivacyRequest } from '@contract/settings.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import { Switch } from '@/ui/Switch'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'
import { SettingsSection } from './SettingsSection'

type PrivacySwitchName = Exclude<keyof PrivacyRequest, 'profileVisibility'>

/** Shows the settings for who can see, find and message the user. Each change is saved immediately. */
export function PrivacyTopic() {
  const user = useOptimisticOwnUser()
  const save = useSaveSetting()
  if (!user) return null
  const privacySwitch = (name: PrivacySwitchName, label: string, hint: ReactNode) => (
    <Switch
      label={label}
      hint={hint}
      checked={user[name]}
      onChange={(checked) => save({ section: 'privacy', fields: PrivacyRequest.parse({ [name]: checked }) })}
    />
  )
  return (
    <>
      <SettingsSection title={t`Your profile`}>
        <ProfileVisibilityField
          value={user.profileVisibility}
          onChange={(profileVisibility) => save({ section: 'privacy', fields: { profileVisibility } })}
        />
        {privacySwitch(
          'showFollowerCount',
          t`Show follower count`,
          t`Others can see how many people follow you and who you follow.`,
        )}
      </SettingsSection>
      <SettingsSection title={t`Discovery`}>
        {privacySwitch(
          'contentDiscoverable',
          t`Recommend my content`,
          t`If off, you and your posts stay out of Discover, topics, post search, search engines and the home feed of people who don’t follow you.`,
        )}
        {privacySwitch(
          'showProfileInDirectory',
          t`Show in directory`,
          t`You appear in Top Users and search results. People you already talk to can always find you.`,
        )}
      </SettingsSection>
      <SettingsSection title={t`Messages`}>
        {privacySwitch(
          'allowDirectMessages',
          t`Allow direct messages`,
          t`Let people message you. If you turn this off, existing conversations become read-only.`,
        )}
        {privacySwitch('showOnline', t`Online status`, t`People you talk to can see when you’re online.`)}
        {privacySwitch(
          'showLastSeen',
          t({ message: 'Last seen', context: 'privacy setting' }),
          t`People you talk to can see when you were last online.`,
        )}
        {privacySwitch('showTyping', t`Typing indicator`, t`People you talk to can see when you’re typing.`)}
      </SettingsSection>
    </>
  )
}

const visibilityOptions: Record<ProfileVisibility, { label: MessageDescriptor; hint: MessageDescriptor }> = {
  public: {
    label: msg({ message: 'Public', context: 'profile visibility' }),
    hint: msg`Anyone can see your profile and posts, signed in or not.`,
  },
  followers: {
    label: msg`Followers`,
    hint: msg`Only your followers can see your posts. Others can ask to follow you.`,
  },
  private: {
    label: msg({ message: 'Private', context: 'profile visibility' }),
    hint: msg`Only you and our admins can see your posts, including earlier ones.`,
  },
}

const OptionLabel = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '3',
    minHeight: 'target',
    paddingBlock: '2',
    cursor: 'pointer',
  },
})

const RadioInput = chakra('input', {
  base: {
    appearance: 'none',
    flexShrink: 0,
    width: '1.25rem',
    height: '1.25rem',
    borderRadius: 'full',
    borderWidth: '2px',
    borderColor: 'outline',
    cursor: 'inherit',
    transition: 'border-color {durations.fast}, border-width {durations.fast}',
    _checked: { borderColor: 'ember.solid', borderWidth: '6px' },
  },
})

/** Shows the setting for who can see the profile and its posts. */
function ProfileVisibilityField({
  value,
  onChange,
}: {
  value: ProfileVisibility
  onChange: (value: ProfileVisibility) => void
}) {
  const id = useId()
  return (
    <fieldset aria-labelledby={id}>
      <Box id={id} textStyle="label" marginBottom="1">
        {t`Profile visibility`}
      </Box>
      {ProfileVisibility.options.map((level) => (
        <OptionLabel key={level}>
          <RadioInput
            type="radio"
            name={id}
            aria-labelledby={`${id}-${level}`}
            aria-describedby={`${id}-${level}-hint`}
            checked={value === level}
            onChange={() => onChange(level)}
          />
          <Box minWidth="0">
            <Box id={`${id}-${level}`} lineHeight="1.25rem" textStyle="label">
              {t(visibilityOptions[level].label)}
            </Box>
            <Box id={`${id}-${level}-hint`} textStyle="small" color="muted" marginTop="0.5">
              {t(visibilityOptions[level].hint)}
            </Box>
          </Box>
        </OptionLabel>
      ))}
    </fieldset>
  )
}
