import { type SocialField, socialSites } from '@contract/about.ts'
import { FieldGrid, ProfileTextField, ShowOnProfileSwitch } from './ProfileFields'
import { SettingsSection } from './SettingsSection'

/** The sites in the order in which they are shown, with what an address of a person there looks like. */
const examples: [SocialField, string][] = [
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

/** One's pages on other sites: all of them are shown, or none. */
export function LinksSection() {
  return (
    <SettingsSection
      title="Social links"
      aside={<ShowOnProfileSwitch name="showSocialLinks" what="your social links" />}
      text="The address of your page on each site."
    >
      <FieldGrid>
        {examples.map(([name, example]) => (
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
