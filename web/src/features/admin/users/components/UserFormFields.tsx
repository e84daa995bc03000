import { Box, chakra } from '@chakra-ui/react'
import { socialSites } from '@contract/about.ts'
import { limits } from '@contract/limits.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Controller, useController, useWatch } from 'react-hook-form'
import { aboutLabels, genderLabels, relationshipLabels, visibilitySwitches } from '@/profile/about'
import { accountLabels, visibilityLabel } from '@/profile/field-names'
import { SelectField, TextareaField, TextField } from '@/ui/Field'
import { SmallSwitch, Switch } from '@/ui/Switch'
import { type SwitchName, socialFields, type TextName } from '../model'
import type { UserForm } from './EditUserDialog'

/** Shows the fields for the name, the contact details and the bio. */
export function AccountFields({ form }: { form: UserForm }) {
  const { length } = [...useWatch({ control: form.control, name: 'bio' })]
  const { max } = limits.bio
  return (
    <FormSection title={t`Account`}>
      <FieldGrid>
        <FormTextField form={form} name="fullName" label={t(accountLabels.fullName)} dir="auto" />
        <FormTextField
          form={form}
          name="username"
          label={t(accountLabels.username)}
          autoCapitalize="none"
          spellCheck={false}
        />
        <FormTextField
          form={form}
          name="email"
          label={t(accountLabels.email)}
          type="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          hint={t`Takes effect immediately.`}
        />
        <FormTextField
          form={form}
          name="phoneNumber"
          label={t(accountLabels.phoneNumber)}
          type="tel"
          inputMode="tel"
        />
        <Box gridColumn="1 / -1">
          <TextareaField
            label={t(accountLabels.bio)}
            dir="auto"
            readOnly={form.isSaving}
            {...form.field('bio')}
            aside={
              <Box
                textStyle="small"
                fontVariantNumeric="tabular-nums"
                color={length > max ? 'danger.text' : 'muted'}
              >
                {t`${length}/${max} characters`}
              </Box>
            }
          />
        </Box>
      </FieldGrid>
    </FormSection>
  )
}

const privacySwitches = [
  ['allowDirectMessages', msg`Others can message them.`],
  ['showFollowerCount', msg`Others can see how many followers they have.`],
  ['showProfileInDirectory', msg`They appear in Top Users and in search.`],
  ['makeProfileDiscoverable', msg`Their posts appear in Discover, and they can be featured.`],
] as const

/** Shows the privacy settings of an account. */
export function PrivacyFields({ form }: { form: UserForm }) {
  return (
    <FormSection title={t`Privacy`}>
      <Box display="grid" gap="3">
        {privacySwitches.map(([name, hint]) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            render={({ field }) => (
              <Switch
                label={t(accountLabels[name])}
                hint={t(hint)}
                checked={field.value}
                onChange={field.onChange}
              />
            )}
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
    <FormVisibilitySwitch form={form} name={visibilitySwitches[name]} part={t(aboutLabels[name])} />
  )
  const { adminMin, min, max } = limits.age
  return (
    <FormSection title={t`About`}>
      <FieldGrid>
        {lineFields.map((name) => (
          <FormTextField
            key={name}
            form={form}
            name={name}
            label={t(aboutLabels[name])}
            aside={visibilitySwitch(name)}
            dir="auto"
          />
        ))}
        <FormTextField
          form={form}
          name="website"
          label={t(aboutLabels.website)}
          aside={visibilitySwitch('website')}
          {...urlFieldProps}
        />
        <FormSelectField
          form={form}
          name="relationshipStatus"
          label={t(aboutLabels.relationshipStatus)}
          aside={visibilitySwitch('relationshipStatus')}
          options={relationshipLabels}
        />
        <FormSelectField
          form={form}
          name="gender"
          label={t(aboutLabels.gender)}
          aside={visibilitySwitch('gender')}
          options={genderLabels}
        />
        <FormTextField
          form={form}
          name="age"
          label={t(aboutLabels.age)}
          aside={visibilitySwitch('age')}
          inputMode="numeric"
          hint={t`From ${adminMin} to ${max}. Accounts under ${min} are read-only.`}
        />
      </FieldGrid>
    </FormSection>
  )
}

/** Shows the links to other sites, with one visibility switch for all of them. */
export function LinkFields({ form }: { form: UserForm }) {
  return (
    <FormSection
      title={t`Social links`}
      aside={<FormVisibilitySwitch form={form} name="showSocialLinks" part={t`Social links`} />}
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
  return <TextField autoComplete="off" {...props} readOnly={form.isSaving} {...form.field(name)} />
}

/** Shows a select field of the form. */
function FormSelectField({
  form,
  name,
  options,
  ...props
}: FormFieldProps<ComponentProps<typeof SelectField>> & { options: Record<string, MessageDescriptor> }) {
  return (
    <SelectField {...props} {...form.field(name)}>
      <option value="">{t`Not set`}</option>
      {Object.entries(options).map(([value, label]) => (
        <option key={value} value={value}>
          {t(label)}
        </option>
      ))}
    </SelectField>
  )
}

/** Shows a switch that controls whether others can see one field or section of the profile. */
function FormVisibilitySwitch({
  form,
  name,
  part,
}: {
  form: UserForm
  name: SwitchName
  /** The label of the field or section. */
  part: string
}) {
  const { field } = useController({ control: form.control, name })
  return (
    <SmallSwitch label={visibilityLabel(part)} checked={field.value} onChange={field.onChange}>
      {field.value ? t`Shown` : t`Hidden`}
    </SmallSwitch>
  )
}
