import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import type { ComponentProps, ReactNode } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import { fieldErrorText } from '@/lib/errors'
import { SelectField, TextareaField, TextField } from '@/ui/Field'
import { SmallSwitch, Switch } from '@/ui/Switch'
import type { SwitchName, TextName } from '../model'
import { useProfileFields } from './ProfileFormProvider'

/**
 * A list of form fields, one below the other. On wide screens, each is a row: the label, the control, and what is beside
 * the label on phones. For a text area, that is below the control. A `FieldPair` is a row with two fields.
 */
export const FieldRows = chakra('div', {
  base: {
    display: 'grid',
    rowGap: '5',
    md: {
      rowGap: '0',
      marginBlock: '-3.5',
      '& > *': { paddingBlock: '3.5' },
      '& > * + *': { borderTopWidth: '1px', borderColor: 'hairline' },
      '& .ov-field': {
        display: 'grid',
        gridTemplateColumns: '13rem minmax(0, 1fr)',
        columnGap: '6',
        alignItems: 'start',
      },
      '& .ov-field > *': { gridColumn: '2' },
      '& .ov-field > .ov-field-label': { display: 'contents!' },
      '& .ov-field-label > :first-child': {
        gridArea: '1 / 1',
        display: 'flex',
        alignItems: 'center',
        minHeight: '10',
      },
      '& .ov-field:has(.ov-field-aside):not(:has(textarea))': {
        gridTemplateColumns: '13rem minmax(0, 1fr) 6rem',
      },
      '& .ov-field-aside': { gridArea: '1 / 3', alignSelf: 'center', justifySelf: 'end' },
      '& .ov-field:has(textarea) .ov-field-aside': { gridArea: '2 / 2', marginTop: '1' },
      '& .ov-field-pair .ov-field': { display: 'block' },
      '& .ov-field-pair .ov-field > .ov-field-label': { display: 'block!', marginBottom: '1' },
      '& .ov-field-pair .ov-field-label > :first-child': {
        display: 'block',
        minHeight: '0',
        textStyle: 'small',
        color: 'muted',
      },
    },
  },
})

/** Two fields of `FieldRows`, side by side on wide screens, with a visible label for both. */
export function FieldPair({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      className="ov-field-pair"
      display="grid"
      rowGap="5"
      columnGap="4"
      // The first column and the gap are as wide as those of the other rows.
      gridTemplateColumns={{ md: '13.5rem minmax(0, 1fr) minmax(0, 1fr)' }}
      alignItems="start"
    >
      <Box aria-hidden hideBelow="md" textStyle="label" paddingTop="2.125rem">
        {label}
      </Box>
      {children}
    </Box>
  )
}

function useTextField(name: TextName) {
  const { register, control } = useProfileFields()
  const { errors } = useFormState({ control, name })
  return { ...register(name), error: fieldErrorText(errors[name]) }
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
  emptyLabel = t`Not set`,
  ...field
}: ProfileFieldProps<ComponentProps<typeof SelectField>> & {
  options: readonly (readonly [value: string, label: string])[]
  emptyLabel?: string
}) {
  return (
    <SelectField {...field} {...useTextField(name)}>
      <option value="">{emptyLabel}</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** Shows the bio field with its length in Unicode code points. */
export function ProfileBioField() {
  return (
    <TextareaField
      label={t`Bio`}
      rows={3}
      // Grows with its content in browsers that support `field-sizing`.
      css={{ fieldSizing: 'content', minHeight: '6rem' }}
      placeholder={t`What you make and who it’s for`}
      {...useTextField('bio')}
      aside={<BioLength />}
    />
  )
}

function BioLength() {
  const { control } = useProfileFields()
  const { length } = [...useWatch({ control, name: 'bio' })]
  const { max } = limits.bio
  return (
    <Box textStyle="small" fontVariantNumeric="tabular-nums" color={length > max ? 'danger.text' : 'muted'}>
      {t`${length}/${max} characters`}
    </Box>
  )
}

/** Shows the switch that makes one part of the profile visible to others. */
export function ShowOnProfileSwitch({ name, label }: { name: SwitchName; label: string }) {
  const { control } = useProfileFields()
  const { field } = useController({ control, name })
  return (
    <SmallSwitch label={label} checked={field.value} onChange={field.onChange}>
      {field.value ? t`Shown` : t`Hidden`}
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
