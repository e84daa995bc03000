import { Box, chakra } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'

const Line = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '6',
    minHeight: 'target',
    cursor: 'pointer',
  },
})

const Control = chakra('input', {
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
    _checked: { bg: 'ember.solid', _before: { transform: 'translateX(1.25rem)' } },
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

const SmallLine = chakra('label', {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    textStyle: 'small',
    color: 'muted',
    cursor: 'pointer',
    userSelect: 'none',
    // As much as a finger needs, in a line that is no higher for it; under the control itself.
    _before: { content: '""', position: 'absolute', insetInline: '-2', insetBlock: '-0.75rem' },
  },
})

/** A switch in the line of what it belongs to. `name` says all of it, `children` in a word what it is set to. */
export function SmallSwitch({
  name,
  checked,
  onChange,
  children,
}: {
  name: string
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <SmallLine>
      <span aria-hidden>{children}</span>
      <Control
        size="sm"
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </SmallLine>
  )
}

/** Something that is on or off, with its name and a sentence on what it does; takes effect as it is switched. */
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
    <Line>
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
      <Control
        type="checkbox"
        role="switch"
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </Line>
  )
}
