import { Box, chakra } from '@chakra-ui/react'
import { type ReactNode, type Ref, useId } from 'react'
import { FieldError } from './Field'

const OptionLabel = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '3',
    minHeight: 'target',
    paddingBlock: '2.5',
    cursor: 'pointer',
  },
  variants: { dense: { true: { minHeight: '9', paddingBlock: '2' } } },
})

const inputStyle = {
  base: {
    appearance: 'none',
    flexShrink: 0,
    width: '1.25rem',
    height: '1.25rem',
    borderWidth: '2px',
    borderColor: 'outline',
    cursor: 'inherit',
    transition: 'border-color {durations.fast}, border-width {durations.fast}',
    _checked: { borderColor: 'ember.solid' },
    _disabled: { opacity: 0.6, cursor: 'not-allowed' },
  },
} as const

const Radio = chakra('input', {
  base: {
    ...inputStyle.base,
    borderRadius: 'full',
    _checked: { borderColor: 'ember.solid', borderWidth: '6px' },
  },
})

const Checkbox = chakra('input', {
  base: {
    ...inputStyle.base,
    position: 'relative',
    borderRadius: 'xs',
    _indeterminate: {
      borderColor: 'ember.solid',
      _after: {
        content: '""',
        position: 'absolute',
        insetInline: '0.125rem',
        top: 'calc(50% - 1px)',
        height: '2px',
        bg: 'ember.solid',
      },
    },
    _checked: {
      borderColor: 'ember.solid',
      bg: 'ember.solid',
      _after: {
        content: '""',
        position: 'absolute',
        left: '0.3125rem',
        top: '0.0625rem',
        width: '0.375rem',
        height: '0.6875rem',
        borderColor: 'ember.on',
        borderStyle: 'solid',
        borderWidth: '0 2px 2px 0',
        transform: 'rotate(45deg)',
      },
    },
  },
})

/** Shows options as radio buttons, each with an optional hint. Arrow keys move between them. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
  error,
  firstRef,
}: {
  label: ReactNode
  options: readonly { value: Value; label: ReactNode; hint?: ReactNode }[]
  /** Null while no option is selected. */
  value: Value | null
  onChange: (value: Value) => void
  error?: string | undefined
  /** Receives the first radio button, to focus it when a required choice is missing. */
  firstRef?: Ref<HTMLInputElement>
}) {
  const id = useId()
  return (
    <Box as="fieldset" border="0" minWidth="0" aria-describedby={error ? `${id}-error` : undefined}>
      <Box asChild textStyle="label" marginBottom="1">
        <legend>{label}</legend>
      </Box>
      {options.map((option, index) => (
        <OptionLabel key={option.value} dense={!option.hint}>
          <Radio
            ref={index === 0 ? firstRef : undefined}
            type="radio"
            name={id}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <Box flex="1" minWidth="0">
            <Box
              id={`${id}-${option.value}`}
              lineHeight="1.25rem"
              fontWeight={option.hint ? 'medium' : undefined}
            >
              {option.label}
            </Box>
            {option.hint && (
              <Box id={`${id}-${option.value}-hint`} textStyle="small" color="muted" marginTop="0.5">
                {option.hint}
              </Box>
            )}
          </Box>
        </OptionLabel>
      ))}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Box>
  )
}

/** Shows a checkbox with its label. For a setting that takes effect immediately, use `Switch`. */
export function CheckboxField({
  label,
  hint,
  checked,
  mixed,
  disabled,
  onChange,
}: {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  /** For a checkbox that selects all rows: whether some of them are selected. */
  mixed?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <OptionLabel>
      <Checkbox
        type="checkbox"
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        ref={indeterminateRef(mixed && !checked)}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <Box minWidth="0">
        <Box id={id} lineHeight="1.25rem">
          {label}
        </Box>
        {hint && (
          <Box id={`${id}-hint`} textStyle="small" color="muted" marginTop="0.5">
            {hint}
          </Box>
        )}
      </Box>
    </OptionLabel>
  )
}

/** Returns a ref that sets a checkbox's `indeterminate` property, for which there is no attribute. */
const indeterminateRef =
  (isIndeterminate = false) =>
  (checkbox: HTMLInputElement | null) => {
    if (checkbox) checkbox.indeterminate = isIndeterminate
  }

const CheckboxTarget = chakra('label', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: 'target',
    height: 'target',
    flexShrink: 0,
    cursor: 'pointer',
  },
})

/** Shows a checkbox that selects a row of a list, or all of its rows. */
export function RowCheckbox({
  label,
  checked,
  mixed,
  onChange,
}: {
  label: string
  checked: boolean
  /** For a checkbox that selects all rows: whether some of them are selected. */
  mixed?: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <CheckboxTarget>
      <Checkbox
        type="checkbox"
        aria-label={label}
        ref={indeterminateRef(mixed && !checked)}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </CheckboxTarget>
  )
}
