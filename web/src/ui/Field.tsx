import { Box, chakra, defineRecipe } from '@chakra-ui/react'
import { countCharacters } from '@contract/limits.ts'
import { type ComponentProps, type ReactNode, type Ref, useId, useState } from 'react'
import { AlertIcon, ChevronDownIcon, EyeIcon, EyeOffIcon, SearchIcon } from './icons'

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

/** Unlabeled controls for search boxes and composers. Forms use `TextField` and the other fields below. */
export const Input = chakra('input', control)
export const Textarea = chakra('textarea', control, {
  defaultProps: { rows: 3 },
})

type FieldText = {
  label: ReactNode
  error?: string
  hint?: ReactNode
  /** Shown beside the label but not part of the field's name. */
  aside?: ReactNode
}
type ControlIds = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

/** Shows a field's error below it. The control refers to `id` with `aria-describedby`. */
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

/**
 * Shows a label, a control, and a hint or the error that replaces it. `children` renders the control, with the
 * attributes that link it to the label and the hint for screen readers.
 */
function Field({
  label,
  error,
  hint,
  aside,
  children,
}: FieldText & { children: (ids: ControlIds) => ReactNode }) {
  const id = useId()
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <Box className="ov-field" width="100%">
      <Box
        className="ov-field-label"
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        marginBottom="1.5"
      >
        <chakra.label htmlFor={id} textStyle="label">
          {label}
        </chakra.label>
        {aside && <Box className="ov-field-aside">{aside}</Box>}
      </Box>
      {/* Leaves out attributes without a value, which would override the caller's. */}
      {children({
        id,
        ...(error && { 'aria-invalid': true }),
        ...(describedBy && { 'aria-describedby': describedBy }),
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

/** Shows a search field with a magnifier and without a visible label. Accepts all props of an input. */
export function SearchInput({
  label,
  round = false,
  ...input
}: { label: string; round?: boolean } & InputProps) {
  return (
    <Box position="relative">
      <Box
        aria-hidden
        position="absolute"
        insetStart={round ? '3.5' : '3'}
        top="50%"
        transform="translateY(-50%)"
        color="muted"
        fontSize="lg"
        pointerEvents="none"
      >
        <SearchIcon />
      </Box>
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        paddingInlineStart={round ? '10' : '9'}
        textOverflow="ellipsis"
        {...(round && roundStyle)}
        {...input}
      />
    </Box>
  )
}

const roundStyle = {
  minHeight: 'target',
  borderRadius: 'full',
  borderColor: 'transparent',
  _focusVisible: { borderColor: 'focus' },
} as const

/** Shows a text input. Accepts all props of an input, including those of react-hook-form's `register()`. */
export function TextField({ label, error, hint, aside, ...input }: FieldText & InputProps) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(ids) => <Input {...input} {...ids} />}
    </Field>
  )
}

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

/** Shows a text area with a character count. Accepts text that is too long and shows an error for it. */
export function NoteField({
  label,
  value,
  onChange,
  max,
  tooLong,
  error,
  ...rest
}: {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  max: number
  /** The error shown when the text exceeds `max` characters. */
  tooLong: string
  error?: string | undefined
  hint?: ReactNode
  rows?: number
  placeholder?: string
  readOnly?: boolean
  autoFocus?: boolean
  'aria-describedby'?: string
  ref?: Ref<HTMLTextAreaElement>
}) {
  // The server does not count whitespace around the text.
  const length = countCharacters(value.trim())
  return (
    <TextareaField
      {...rest}
      dir="auto"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={length > max ? tooLong : error}
      aside={
        <Box
          textStyle="small"
          fontVariantNumeric="tabular-nums"
          color={length > max ? 'danger.text' : 'muted'}
        >
          {length}/{max}
        </Box>
      }
    />
  )
}

const Select = chakra('select', control)

/** Shows the browser's select control. The children are `option` elements. */
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

const VisibilityButton = chakra('button', {
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
 * Shows a password input with a button, labeled `showLabel`, that reveals the password. Pressing the button with a
 * pointer keeps focus and the caret in the input.
 */
export function PasswordField({
  label,
  error,
  hint,
  showLabel,
  ...input
}: Omit<FieldText, 'aside'> & { showLabel: string } & InputProps) {
  const [isVisible, setVisible] = useState(false)
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => (
        <Box position="relative">
          <Input
            {...input}
            {...ids}
            type={isVisible ? 'text' : 'password'}
            paddingInlineEnd="12"
            spellCheck={false}
            autoCapitalize="none"
            autoCorrect="off"
          />
          <VisibilityButton
            type="button"
            aria-label={showLabel}
            aria-pressed={isVisible}
            aria-controls={ids.id}
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setVisible((visible) => !visible)}
          >
            {isVisible ? <EyeOffIcon /> : <EyeIcon />}
          </VisibilityButton>
        </Box>
      )}
    </Field>
  )
}
