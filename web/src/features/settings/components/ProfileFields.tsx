import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { ComponentProps } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import { SelectField, TextareaField, TextField } from '@/ui/Field'
import { SmallSwitch, Switch } from '@/ui/Switch'
import type { SwitchName, TextName } from '../model'
import { useProfileFields } from './ProfileFormProvider'

/** A grid of form fields with two columns on wide screens. */
export const FieldGrid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
    columnGap: '4',
    rowGap: '5',
    alignItems: 'start',
  },
})

function useTextField(name: TextName) {
  const { register, control } = useProfileFields()
  const { errors } = useFormState({ control, name })
  return { ...register(name), error: errors[name]?.message }
}

type ProfileFieldProps<Props> = Omit<Props, 'name' | 'error'> & { name: TextName }

/** Shows a single-line text field of the profile form. */
export function ProfileTextField({ name, ...field }: ProfileFieldProps<ComponentProps<typeof TextField>>) {
  return <TextField {...field} {...useTextField(name)} />
}

/** Shows a select of the profile form. */
export function ProfileSelectField({
  name,
  options,
  ...field
}: ProfileFieldProps<ComponentProps<typeof SelectField>> & {
  options: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <SelectField {...field} {...useTextField(name)}>
      <option value="">Not set</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** Shows the bio field with its number of Unicode code points. */
export function ProfileBioField() {
  return (
    <TextareaField
      label="Bio"
      rows={4}
      // Grows with its content in browsers that support `field-sizing`.
      css={{ fieldSizing: 'content', minHeight: '7.5rem' }}
      placeholder="What you make, and for whom"
      {...useTextField('bio')}
      aside={<BioLength />}
    />
  )
}

function BioLength() {
  const { control } = useProfileFields()
  const { length } = [...useWatch({ control, name: 'bio' })]
  return (
    <Box
      textStyle="small"
      fontVariantNumeric="tabular-nums"
      color={length > limits.bio.max ? 'danger.text' : 'muted'}
    >
      {length}/{limits.bio.max} characters
    </Box>
  )
}

/** Shows the switch that makes one part of the profile visible to others. `what` names that part. */
export function ShowOnProfileSwitch({ name, what }: { name: SwitchName; what: string }) {
  const { control } = useProfileFields()
  const { field } = useController({ control, name })
  return (
    <SmallSwitch label={`Show ${what} on your profile`} checked={field.value} onChange={field.onChange}>
      {field.value ? 'Shown' : 'Hidden'}
    </SmallSwitch>
  )
}

/**
 * Shows a switch of the profile form.
 *
 * @param onBeforeChange returns false to keep the current value, for example because an upgrade is needed first
 */
export function ProfileSwitch({
  name,
  onBeforeChange,
  ...texts
}: { name: SwitchName; onBeforeChange?: (on: boolean) => boolean } & Pick<
  ComponentProps<typeof Switch>,
  'label' | 'hint'
>) {
  const { control } = useProfileFields()
  const { field } = useController({ control, name })
  return (
    <div ref={(element) => field.ref({ focus: () => element?.querySelector('input')?.focus() })}>
      <Switch
        {...texts}
        checked={field.value}
        onChange={(on) => onBeforeChange?.(on) !== false && field.onChange(on)}
      />
    </div>
  )
}
