import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const Chip = chakra('button', {
  base: {
    minHeight: '9',
    '@media (pointer: coarse)': { minHeight: 'target' },
    paddingInline: '3.5',
    borderWidth: '1px',
    borderColor: 'outline',
    borderRadius: 'full',
    textStyle: 'small',
    fontWeight: 'medium',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    '&[aria-pressed=false]:hover': { bg: 'hover' },
    '&[aria-pressed=true]': { bg: 'inverse', color: 'onInverse', borderColor: 'transparent' },
  },
})

/** Shows the filters of a list as chips, one of them selected. */
export function FilterChips<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: Value; label: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <Box role="group" aria-label={label} display="flex" flexWrap="wrap" gap="2">
      {options.map((option) => (
        <Chip
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </Chip>
      ))}
    </Box>
  )
}
