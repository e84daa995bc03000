import { socialSites } from '@contract/about.ts'
import { limits } from '@contract/limits.ts'
import type { ComponentProps } from 'react'
import { aboutLabels, genderLabels, relationshipLabels, visibilitySwitches } from '@/profile/about-labels'
import { socialFields } from '../model'
import {
  FieldGrid,
  FormSection,
  FormSelectField,
  FormTextField,
  FormVisibilitySwitch,
} from './UserFormFields'
import type { UserForm } from './useUserForm'

const lines = ['studiedAt', 'livesIn', 'fromLocation'] as const

const address = {
  inputMode: 'url',
  autoCapitalize: 'none',
  spellCheck: false,
} as const satisfies Partial<ComponentProps<typeof FormTextField>>

/** What somebody tells about themselves, each with whether others see it. */
export function AboutFields({ form }: { form: UserForm }) {
  const shown = (name: keyof typeof visibilitySwitches) => (
    <FormVisibilitySwitch
      form={form}
      name={visibilitySwitches[name]}
      what={aboutLabels[name].toLowerCase()}
    />
  )
  const { adminMin, max } = limits.age
  return (
    <FormSection title="About">
      <FieldGrid>
        {lines.map((name) => (
          <FormTextField
            key={name}
            form={form}
            name={name}
            label={aboutLabels[name]}
            aside={shown(name)}
            dir="auto"
          />
        ))}
        <FormTextField
          form={form}
          name="website"
          label={aboutLabels.website}
          aside={shown('website')}
          {...address}
        />
        <FormSelectField
          form={form}
          name="relationshipStatus"
          label={aboutLabels.relationshipStatus}
          aside={shown('relationshipStatus')}
          options={relationshipLabels}
        />
        <FormSelectField
          form={form}
          name="gender"
          label={aboutLabels.gender}
          aside={shown('gender')}
          options={genderLabels}
        />
        <FormTextField
          form={form}
          name="age"
          label={aboutLabels.age}
          aside={shown('age')}
          inputMode="numeric"
          hint={`From ${adminMin} to ${max}. Under ${limits.age.min} the account is read-only.`}
        />
      </FieldGrid>
    </FormSection>
  )
}

/** Their pages on other sites: all of them are shown, or none. */
export function LinkFields({ form }: { form: UserForm }) {
  return (
    <FormSection
      title="Social links"
      aside={<FormVisibilitySwitch form={form} name="showSocialLinks" what="the social links" />}
    >
      <FieldGrid>
        {socialFields.map((name) => (
          <FormTextField key={name} form={form} name={name} label={socialSites[name].name} {...address} />
        ))}
      </FieldGrid>
    </FormSection>
  )
}
