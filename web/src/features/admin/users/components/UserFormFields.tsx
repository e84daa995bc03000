import { Box, chakra } from '@chakra-ui/react'
import { socialSites } from '@contract/about.ts'
import { limits } from '@contract/limits.ts'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { aboutLabels, genderLabels, relationshipLabels, visibilitySwitches } from '@/profile/about'
import { SelectField, TextareaField, TextField } from '@/ui/Field'
import { SmallSwitch, Switch } from '@/ui/Switch'
import { type SwitchName, socialFields, type TextName } from '../model'
import type { UserForm } from './EditUserDialog'

/** Shows the fields for the name, the contact data and the bio. */
export function AccountFields({ form }: { form: UserForm }) {
  const { length } = [...form.values.bio]
  return (
    <FormSection title="Account">
      <FieldGrid>
        <FormTextField form={form} name="fullName" label="Full name" dir="auto" />
        <FormTextField
          form={form}
          name="username"
          label="Username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <FormTextField
          form={form}
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          hint="Another one counts at once."
        />
        <FormTextField form={form} name="phoneNumber" label="Phone number" type="tel" inputMode="tel" />
        <Box gridColumn="1 / -1">
          <TextareaField
            label="Bio"
            name="bio"
            dir="auto"
            value={form.values.bio}
            error={form.errors.bio}
            readOnly={form.isSaving}
            onChange={({ target }) => form.set('bio', target.value)}
            aside={
              <Box
                textStyle="small"
                fontVariantNumeric="tabular-nums"
                color={length > limits.bio.max ? 'danger.text' : 'muted'}
              >
                {length}/{limits.bio.max} characters
              </Box>
            }
          />
        </Box>
      </FieldGrid>
    </FormSection>
  )
}

const privacySwitches: { name: SwitchName; label: string; hint: string }[] = [
  { name: 'allowDirectMessages', label: 'Allow direct messages', hint: 'Others may write to them.' },
  { name: 'showFollowerCount', label: 'Show follower count', hint: 'Others see how many follow them.' },
  {
    name: 'showProfileInDirectory',
    label: 'Show profile in directory',
    hint: 'They are found in Top Users and by search.',
  },
  {
    name: 'makeProfileDiscoverable',
    label: 'Make profile discoverable',
    hint: 'Their posts are in Discover, and they may be featured.',
  },
]

/** Shows the privacy settings of an account. */
export function PrivacyFields({ form }: { form: UserForm }) {
  return (
    <FormSection title="Privacy">
      <Box display="grid" gap="3">
        {privacySwitches.map(({ name, label, hint }) => (
          <Switch
            key={name}
            label={label}
            hint={hint}
            checked={form.values[name]}
            onChange={(checked) => form.set(name, checked)}
          />
        ))}
      </Box>
    </FormSection>
  )
}

const lineFields = ['studiedAt', 'livesIn', 'fromLocation'] as const

const urlFieldProps = {
  inputMode: 'url',
  autoCapitalize: 'none',
  spellCheck: false,
} as const satisfies Partial<ComponentProps<typeof FormTextField>>

/** Shows the fields about the user, each with a visibility switch. */
export function AboutFields({ form }: { form: UserForm }) {
  const visibilitySwitch = (name: keyof typeof visibilitySwitches) => (
    <FormVisibilitySwitch
      form={form}
      name={visibilitySwitches[name]}
      subject={aboutLabels[name].toLowerCase()}
    />
  )
  const { adminMin, max } = limits.age
  return (
    <FormSection title="About">
      <FieldGrid>
        {lineFields.map((name) => (
          <FormTextField
            key={name}
            form={form}
            name={name}
            label={aboutLabels[name]}
            aside={visibilitySwitch(name)}
            dir="auto"
          />
        ))}
        <FormTextField
          form={form}
          name="website"
          label={aboutLabels.website}
          aside={visibilitySwitch('website')}
          {...urlFieldProps}
        />
        <FormSelectField
          form={form}
          name="relationshipStatus"
          label={aboutLabels.relationshipStatus}
          aside={visibilitySwitch('relationshipStatus')}
          options={relationshipLabels}
        />
        <FormSelectField
          form={form}
          name="gender"
          label={aboutLabels.gender}
          aside={visibilitySwitch('gender')}
          options={genderLabels}
        />
        <FormTextField
          form={form}
          name="age"
          label={aboutLabels.age}
          aside={visibilitySwitch('age')}
          inputMode="numeric"
          hint={`From ${adminMin} to ${max}. Under ${limits.age.min} the account is read-only.`}
        />
      </FieldGrid>
    </FormSection>
  )
}

/** Shows the links to other sites, with one visibility switch for all. */
export function LinkFields({ form }: { form: UserForm }) {
  return (
    <FormSection
      title="Social links"
      aside={<FormVisibilitySwitch form={form} name="showSocialLinks" subject="the social links" />}
    >
      <FieldGrid>
        {socialFields.map((name) => (
          <FormTextField
            key={name}
            form={form}
            name={name}
            label={socialSites[name].name}
            {...urlFieldProps}
          />
        ))}
      </FieldGrid>
    </FormSection>
  )
}

/** Two columns, or one on phones. */
const FieldGrid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
    columnGap: '4',
    rowGap: '4',
    alignItems: 'start',
  },
})

/** Shows a titled section of the form. */
export function FormSection({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <Box as="section" aria-labelledby={id}>
      <Box display="flex" alignItems="center" justifyContent="space-between" gap="4" marginBottom="3">
        <Box as="h3" id={id} textStyle="title">
          {title}
        </Box>
        {aside}
      </Box>
      {children}
    </Box>
  )
}

type FormFieldProps<Props> = Omit<Props, 'name' | 'value' | 'onChange' | 'error' | 'form'> & {
  form: UserForm
  name: TextName
}

/** Shows a text field of the form. */
function FormTextField({ form, name, ...props }: FormFieldProps<ComponentProps<typeof TextField>>) {
  return (
    <TextField
      autoComplete="off"
      {...props}
      name={name}
      value={form.values[name]}
      error={form.errors[name]}
      readOnly={form.isSaving}
      onChange={({ target }) => form.set(name, target.value)}
    />
  )
}

/** Shows a select field of the form. */
function FormSelectField({
  form,
  name,
  options,
  ...props
}: FormFieldProps<ComponentProps<typeof SelectField>> & { options: Record<string, string> }) {
  return (
    <SelectField
      {...props}
      name={name}
      value={form.values[name]}
      error={form.errors[name]}
      onChange={({ target }) => form.set(name, target.value)}
    >
      <option value="">Not set</option>
      {Object.entries(options).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** Shows a switch for whether others see a part of the profile. */
function FormVisibilitySwitch({
  form,
  name,
  subject,
}: {
  form: UserForm
  name: SwitchName
  /** Names the part within the label. */
  subject: string
}) {
  return (
    <SmallSwitch
      label={`Show ${subject} on the profile`}
      checked={form.values[name]}
      onChange={(checked) => form.set(name, checked)}
    >
      {form.values[name] ? 'Shown' : 'Hidden'}
    </SmallSwitch>
  )
}
