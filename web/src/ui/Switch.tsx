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
})

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
