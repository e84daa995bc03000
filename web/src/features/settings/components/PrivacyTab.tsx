import { Box } from '@chakra-ui/react'
import { PrivacyRequest } from '@contract/settings.ts'
import type { ReactNode } from 'react'
import { Switch } from '@/ui/Switch'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'
import { BlockedUsers } from './BlockedUsers'
import { FollowRequests } from './FollowRequests'
import { ProfileVisibilityField } from './ProfileVisibilityField'
import { SettingsSection } from './SettingsSection'

type PrivacySwitchName = Exclude<keyof PrivacyRequest, 'profileVisibility'>

/** Who sees what of a person, and who may write to them. Each change is saved at once. */
export function PrivacyTab() {
  const user = useOptimisticOwnUser()
  const save = useSaveSetting()
  if (!user) return null
  const one = (name: PrivacySwitchName, label: string, hint: ReactNode) => (
    <Switch
      label={label}
      hint={hint}
      checked={user[name]}
      onChange={(checked) => save({ of: 'privacy', fields: PrivacyRequest.parse({ [name]: checked }) })}
    />
  )
  return (
    <Box display="grid" gap={{ base: '2', md: '4' }}>
      <SettingsSection title="Your profile">
        <ProfileVisibilityField
          value={user.profileVisibility}
          onChange={(profileVisibility) => save({ of: 'privacy', fields: { profileVisibility } })}
        />
        {one(
          'showFollowerCount',
          'Show Follower Count',
          'Others see how many people follow you, and whom you follow.',
        )}
      </SettingsSection>
      <FollowRequests user={user} />
      <SettingsSection title="Being found">
        {one(
          'contentDiscoverable',
          'Content Discoverable',
          'Your public posts can come up in Discover, and you among the featured and trending creators.',
        )}
        {one(
          'showProfileInDirectory',
          'Show in directory',
          'You are listed in Top Users and found by search. People you already talk with find you anyway.',
        )}
      </SettingsSection>
      <SettingsSection title="Messages">
        {one(
          'allowDirectMessages',
          'Allow Direct Messages',
          'Others can write to you. Off, nobody can, and what was written stays readable.',
        )}
        {one('showOnline', 'Online status', 'People you talk with see when you are here.')}
        {one('showLastSeen', 'Last seen', 'People you talk with see when you were last here.')}
        {one('showTyping', 'Typing', 'The other person sees that you are writing.')}
      </SettingsSection>
      <BlockedUsers />
    </Box>
  )
}
