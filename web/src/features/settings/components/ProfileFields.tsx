import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { ComponentProps } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import { SelectField, TextareaField, TextField } from '@/ui/Field'
import { SmallSwitch, Switch } from '@/ui/Switch'
import type { SwitchName, TextName } from '../model'
import { useProfileFields } from './ProfileFormProvider'

/** Two fields side by side where there is room. */
export const FieldGrid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
    columnGap: '4',
    rowGap: '5',
    alignItems: 'start',
  },
})

function useText(name: TextName) {
  const { register, control } = useProfileFields()
  const { errors } = useFormState({ control, name })
  return { ...register(name), error: errors[name]?.message }
}

type Own<Props> = Omit<Props, 'name' | 'error'> & { name: TextName }

/** One line of the profile. */
export function ProfileTextField({ name, ...field }: Own<ComponentProps<typeof TextField>>) {
  return <TextField {...field} {...useText(name)} />
}

/** One of a list; `options` are values and what is said for them. */
export function ProfileSelectField({
  name,
  options,
  ...field
}: Own<ComponentProps<typeof SelectField>> & {
  options: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <SelectField {...field} {...useText(name)}>
      <option value="">Not set</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** The bio, with how long it is in characters as Unicode counts them. */
export function ProfileBioField() {
  return (
    <TextareaField
      label="Bio"
      rows={4}
      // As high as what is in it, where the browser knows how.
      css={{ fieldSizing: 'content', minHeight: '7.5rem' }}
      placeholder="What you make, and for whom"
      {...useText('bio')}
      aside={<BioCount />}
    />
  )
}

function BioCount() {
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

/** Whether others who may see the profile see one part of it, which `what` names. */
export function ShowOnProfileSwitch({ name, what }: { name: SwitchName; what: string }) {
  const { control } = useProfileFields()
  const { field } = useController({ control, name })
  return (
    <SmallSwitch name={`Show ${what} on your profile`} checked={field.value} onChange={field.onChange}>
      {field.value ? 'Shown' : 'Hidden'}
    </SmallSwitch>
  )
}

/**
 * Something of the profile that is on or off; saved with the rest of it. What `refuse` is true of stays as it is, where
 * something else has to be done first.
 */
export function ProfileSwitch({
  name,
  refuse,
  ...texts
}: { name: SwitchName; refuse?: (on: boolean) => boolean } & Pick<
  ComponentProps<typeof Switch>,
  'label' | 'hint'
>) {
  const { control } = useProfileFields()
  const { field } = useController({ control, name })
  return (
    <div ref={(at) => field.ref({ focus: () => at?.querySelector('input')?.focus() })}>
      <Switch {...texts} checked={field.value} onChange={(on) => !refuse?.(on) && field.onChange(on)} />
    </div>
  )
}
