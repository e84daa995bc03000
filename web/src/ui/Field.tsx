import { Box, chakra, defineRecipe } from '@chakra-ui/react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { AlertIcon, ChevronDownIcon, EyeIcon, EyeOffIcon } from './icons'

const control = defineRecipe({
  className: 'ov-control',
  base: {
    display: 'block',
    width: '100%',
    minHeight: '12',
    paddingInline: '3.5',
    fontSize: 'input',
    color: 'text',
    bg: 'surface',
    borderWidth: '1px',
    borderColor: 'outline',
    borderRadius: 'md',
    transition: 'border-color {durations.fast}, box-shadow {durations.fast}',
    _hover: { borderColor: 'muted' },
    _focusVisible: {
      outline: 'none',
      borderColor: 'focus',
      boxShadow: '0 0 0 3px {colors.ember.glow}',
    },
    '&[aria-invalid=true]': { borderColor: 'danger.text' },
    _disabled: { opacity: 0.6, cursor: 'not-allowed' },
  },
})

/** Bare controls, for search boxes and composers; forms use `TextField` and its kin. */
export const Input = chakra('input', control)
export const Textarea = chakra('textarea', control, {
  defaultProps: { rows: 3 },
})

type FieldText = {
  label: ReactNode
  error?: string
  hint?: ReactNode
  /** Beside the label, and no part of it. */
  aside?: ReactNode
}
type ControlIds = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

/** What is wrong with a field, below it; `id` is what describes the field. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Box id={id} display="flex" gap="1.5" textStyle="small" color="danger.text" marginTop="1.5">
      <Box as="span" marginTop="0.5" flexShrink={0}>
        <AlertIcon />
      </Box>
      <Box as="span" minWidth="0" overflowWrap="anywhere">
        {children}
      </Box>
    </Box>
  )
}

/** Label, control, and a hint that gives way to the error, tied together for assistive technology. The child gets what ties it. */
function Field({
  label,
  error,
  hint,
  aside,
  children,
}: FieldText & { children: (ids: ControlIds) => ReactNode }) {
  const id = useId()
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <Box width="100%">
      <Box display="flex" alignItems="center" justifyContent="space-between" gap="3" marginBottom="1.5">
        <chakra.label htmlFor={id} textStyle="label">
          {label}
        </chakra.label>
        {aside}
      </Box>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described,
      })}
      {hint && !error && (
        <Box id={`${id}-hint`} textStyle="small" color="muted" marginTop="1.5">
          {hint}
        </Box>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Box>
  )
}

type InputProps = Omit<ComponentProps<typeof Input>, 'id'>

/** One line of text. Takes everything an input takes, `register(...)` of react-hook-form included. */
export function TextField({ label, error, hint, aside, ...input }: FieldText & InputProps) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(ids) => <Input {...input} {...ids} />}
    </Field>
  )
}

/** Several lines of text, with what stands beside the label, such as a count. */
export function TextareaField({
  label,
  error,
  hint,
  aside,
  ...textarea
}: FieldText & Omit<ComponentProps<typeof Textarea>, 'id'>) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(ids) => <Textarea {...textarea} {...ids} paddingBlock="3" resize="vertical" />}
    </Field>
  )
}

const Select = chakra('select', control)

/** One of a list, as the browser shows lists. Its children are options. */
export function SelectField({
  label,
  error,
  hint,
  aside,
  ...select
}: FieldText & Omit<ComponentProps<typeof Select>, 'id'>) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(ids) => (
        <Box position="relative">
          <Select {...select} {...ids} appearance="none" paddingInlineEnd="10" cursor="pointer" truncate />
          <Box
            aria-hidden
            position="absolute"
            insetEnd="3"
            top="50%"
            transform="translateY(-50%)"
            color="muted"
            pointerEvents="none"
            fontSize="lg"
          >
            <ChevronDownIcon />
          </Box>
        </Box>
      )}
    </Field>
  )
}

const Toggle = chakra('button', {
  base: {
    position: 'absolute',
    top: '0',
    insetEnd: '0',
    width: '12',
    height: '12',
    display: 'grid',
    placeItems: 'center',
    fontSize: 'xl',
    color: 'muted',
    borderRadius: 'md',
    cursor: 'pointer',
    _hover: { color: 'text' },
    _focusVisible: { outlineOffset: '-4px' },
  },
})

/**
 * A password with a button that shows or hides it. A press with the pointer leaves the focus, and the place in the
 * text, where they are.
 */
export function PasswordField({
  label,
  error,
  hint,
  ...input
}: Omit<FieldText, 'label'> & { label: string } & InputProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => (
        <Box position="relative">
          <Input
            {...input}
            {...ids}
            type={shown ? 'text' : 'password'}
            paddingInlineEnd="12"
            spellCheck={false}
            autoCapitalize="none"
            autoCorrect="off"
          />
          <Toggle
            type="button"
            aria-label={`Show ${label.toLowerCase()}`}
            aria-pressed={shown}
            aria-controls={ids.id}
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setShown((before) => !before)}
          >
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </Toggle>
        </Box>
      )}
    </Field>
  )
}
