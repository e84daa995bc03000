import { socialSites } from '@contract/about.ts'
import { limits } from '@contract/limits.ts'
import type { ComponentProps } from 'react'
import { aboutLabels, genderWords, relationshipWords, shownBy } from '@/lib/aboutWords'
import { Choice, FieldGrid, Part, Shown, Text } from './fields'
import type { EditForm } from './useEditForm'
import { socialFields } from './values'

const lines = ['studiedAt', 'livesIn', 'fromLocation'] as const

const address = {
  inputMode: 'url',
  autoCapitalize: 'none',
  spellCheck: false,
} as const satisfies Partial<ComponentProps<typeof Text>>

/** What somebody tells about themselves, each with whether others see it. */
export function AboutFields({ form }: { form: EditForm }) {
  const shown = (name: keyof typeof shownBy) => (
    <Shown form={form} name={shownBy[name]} what={aboutLabels[name].toLowerCase()} />
  )
  const { adminMin, max } = limits.age
  return (
    <Part title="About">
      <FieldGrid>
        {lines.map((name) => (
          <Text key={name} form={form} name={name} label={aboutLabels[name]} aside={shown(name)} dir="auto" />
        ))}
        <Text form={form} name="website" label={aboutLabels.website} aside={shown('website')} {...address} />
        <Choice
          form={form}
          name="relationshipStatus"
          label={aboutLabels.relationshipStatus}
          aside={shown('relationshipStatus')}
          options={relationshipWords}
        />
        <Choice
          form={form}
          name="gender"
          label={aboutLabels.gender}
          aside={shown('gender')}
          options={genderWords}
        />
        <Text
          form={form}
          name="age"
          label={aboutLabels.age}
          aside={shown('age')}
          inputMode="numeric"
          hint={`From ${adminMin} to ${max}. Under ${limits.age.min} the account is read-only.`}
        />
      </FieldGrid>
    </Part>
  )
}

/** Their pages on other sites: all of them are shown, or none. */
export function LinkFields({ form }: { form: EditForm }) {
  return (
    <Part title="Social links" aside={<Shown form={form} name="showSocialLinks" what="the social links" />}>
      <FieldGrid>
        {socialFields.map((name) => (
          <Text key={name} form={form} name={name} label={socialSites[name].name} {...address} />
        ))}
      </FieldGrid>
    </Part>
  )
}
