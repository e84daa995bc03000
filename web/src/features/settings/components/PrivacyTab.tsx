import { Box, chakra } from '@chakra-ui/react'
import type { ProfileVisibility } from '@contract/profile-visibility.ts'
import { PrivacyRequest } from '@contract/settings.ts'
import { type ReactNode, useId } from 'react'
import { Switch } from '@/ui/Switch'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'
import { BlockedUsers } from './BlockedUsers'
import { FollowRequests } from './FollowRequests'
import { SettingsSection } from './SettingsSection'

type PrivacySwitchName = Exclude<keyof PrivacyRequest, 'profileVisibility'>

/** Shows who can see, find and message the user. Each change is saved immediately. */
export function PrivacyTab() {
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
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      <SettingsSection title="Your profile">
        <ProfileVisibilityField
          value={user.profileVisibility}
          onChange={(profileVisibility) => save({ section: 'privacy', fields: { profileVisibility } })}
        />
        {privacySwitch(
          'showFollowerCount',
          'Show Follower Count',
          'Others see how many people follow you, and whom you follow.',
        )}
      </SettingsSection>
      <FollowRequests user={user} />
      <SettingsSection title="Being found">
        {privacySwitch(
          'contentDiscoverable',
          'Content Discoverable',
          'Your public posts can come up in Discover, and you among the featured and trending creators.',
        )}
        {privacySwitch(
          'showProfileInDirectory',
          'Show in directory',
          'You are listed in Top Users and found by search. People you already talk with find you anyway.',
        )}
      </SettingsSection>
      <SettingsSection title="Messages">
        {privacySwitch(
          'allowDirectMessages',
          'Allow Direct Messages',
          'Others can write to you. Off, nobody can, and what was written stays readable.',
        )}
        {privacySwitch('showOnline', 'Online status', 'People you talk with see when you are here.')}
        {privacySwitch('showLastSeen', 'Last seen', 'People you talk with see when you were last here.')}
        {privacySwitch('showTyping', 'Typing', 'The other person sees that you are writing.')}
      </SettingsSection>
      <BlockedUsers />
    </Box>
  )
}

const visibilityOptions: { value: ProfileVisibility; label: string; hint: string }[] = [
  { value: 'public', label: 'Public', hint: 'Anyone sees your posts and your profile, signed in or not.' },
  {
    value: 'followers',
    label: 'Followers',
    hint: 'Only your followers. Others can ask to follow you.',
  },
  {
    value: 'private',
    label: 'Private',
    hint: 'Only you, and the admins of this site. This holds for what you posted before, too.',
  },
]

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

/** Shows the choice of who can see the profile and its posts. */
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
        Profile visibility
      </Box>
      {visibilityOptions.map((option) => (
        <OptionLabel key={option.value}>
          <RadioInput
            type="radio"
            name={id}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={`${id}-${option.value}-hint`}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <Box minWidth="0">
            <Box id={`${id}-${option.value}`} lineHeight="1.25rem" textStyle="label">
              {option.label}
            </Box>
            <Box id={`${id}-${option.value}-hint`} textStyle="small" color="muted" marginTop="0.5">
              {option.hint}
            </Box>
          </Box>
        </OptionLabel>
      ))}
    </fieldset>
  )
}
