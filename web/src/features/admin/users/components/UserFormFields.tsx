import { Box, chakra } from '@chakra-ui/react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { SelectField, TextField } from '@/ui/Field'
import { SmallSwitch, Switch } from '@/ui/Switch'
import type { SwitchName, TextName } from '../model'
import type { UserForm } from './useUserForm'

/** Two fields side by side where there is room. */
export const FieldGrid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
    columnGap: '4',
    rowGap: '4',
    alignItems: 'start',
  },
})

/** A part of the form under its name. */
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

type Of<Props> = Omit<Props, 'name' | 'value' | 'onChange' | 'error' | 'form'> & {
  form: UserForm
  name: TextName
}

/** One line of the profile. */
export function FormTextField({ form, name, ...field }: Of<ComponentProps<typeof TextField>>) {
  return (
    <TextField
      autoComplete="off"
      {...field}
      name={name}
      value={form.values[name]}
      error={form.problems[name]}
      readOnly={form.isSaving}
      onChange={({ target }) => form.set(name, target.value)}
    />
  )
}

/** One of a list. */
export function FormSelectField({
  form,
  name,
  options,
  ...field
}: Of<ComponentProps<typeof SelectField>> & { options: Record<string, string> }) {
  return (
    <SelectField
      {...field}
      name={name}
      value={form.values[name]}
      error={form.problems[name]}
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

/** Whether others see one part of the profile, which `what` names. */
export function FormVisibilitySwitch({
  form,
  name,
  what,
}: {
  form: UserForm
  name: SwitchName
  what: string
}) {
  return (
    <SmallSwitch
      name={`Show ${what} on the profile`}
      checked={form.values[name]}
      onChange={(on) => form.set(name, on)}
    >
      {form.values[name] ? 'Shown' : 'Hidden'}
    </SmallSwitch>
  )
}

/** Something that is on or off. */
export function FormSwitch({
  form,
  name,
  label,
  hint,
}: {
  form: UserForm
  name: SwitchName
  label: string
  hint: string
}) {
  return (
    <Switch label={label} hint={hint} checked={form.values[name]} onChange={(on) => form.set(name, on)} />
  )
}
