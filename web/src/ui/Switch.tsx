import { Box, chakra } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'

const SwitchLabel = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '6',
    minHeight: 'target',
    cursor: 'pointer',
  },
})

const SwitchInput = chakra('input', {
  base: {
    appearance: 'none',
    position: 'relative',
    flexShrink: 0,
    width: '3rem',
    height: '1.75rem',
    borderRadius: 'full',
    bg: 'outline',
    cursor: 'inherit',
    transition: 'background-color {durations.fast}',
    _before: {
      content: '""',
      position: 'absolute',
      top: '0.1875rem',
      insetInlineStart: '0.1875rem',
      width: '1.375rem',
      height: '1.375rem',
      borderRadius: 'full',
      bg: 'surface',
      boxShadow: 'low',
      transition: 'transform {durations.fast} {easings.out}',
    },
    _checked: { bg: 'text', _before: { transform: 'translateX(1.25rem)' } },
    _disabled: { opacity: 0.6, cursor: 'not-allowed' },
  },
  variants: {
    size: {
      sm: {
        width: '2.25rem',
        height: '1.25rem',
        _before: { top: '0.125rem', insetInlineStart: '0.125rem', width: '1rem', height: '1rem' },
        _checked: { _before: { transform: 'translateX(1rem)' } },
      },
    },
  },
})

const SmallSwitchLabel = chakra('label', {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    textStyle: 'small',
    color: 'muted',
    cursor: 'pointer',
    userSelect: 'none',
    // Enlarges the touch target without making the line taller. The pseudo-element is behind the control.
    _before: { content: '""', position: 'absolute', insetInline: '-2', insetBlock: '-0.75rem' },
  },
})

/**
 * Shows a small switch in the row of another field.
 *
 * @param label the accessible name
 * @param children the short visible text beside the switch
 */
export function SmallSwitch({
  label,
  checked,
  onChange,
  children,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <SmallSwitchLabel>
      <span aria-hidden>{children}</span>
      <SwitchInput
        size="sm"
        type="checkbox"
        role="switch"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </SmallSwitchLabel>
  )
}

/** Shows a setting that takes effect immediately, with its label and a hint on what it does. */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled,
}: {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <SwitchLabel>
      <Box minWidth="0">
        <Box as="span" id={id} textStyle="label">
          {label}
        </Box>
        {hint && (
          <Box id={`${id}-hint`} textStyle="small" color="muted" marginTop="0.5">
            {hint}
          </Box>
        )}
      </Box>
      <SwitchInput
        type="checkbox"
        role="switch"
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </SwitchLabel>
  )
}
