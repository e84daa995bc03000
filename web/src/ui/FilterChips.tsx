import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const Chip = chakra('button', {
  base: {
    minHeight: '9',
    '@media (pointer: coarse)': { minHeight: 'target' },
    flexShrink: 0,
    paddingInline: '3.5',
    borderWidth: '1px',
    borderColor: 'outline',
    borderRadius: 'full',
    textStyle: 'small',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    '&[aria-pressed=false]:hover': { bg: 'hover' },
    '&[aria-pressed=true]': { bg: 'inverse', color: 'onInverse', borderColor: 'transparent' },
  },
})

/** On phones, chips are a single line that scrolls horizontally and fades out at its end; otherwise they wrap. */
const Group = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: { base: 'nowrap', md: 'wrap' },
    gap: '2',
    overflowX: { base: 'auto', md: 'visible' },
    // Leaves room for the focus ring of a chip.
    padding: { base: '1', md: '0' },
    margin: { base: '-1', md: '0' },
    // Leaves room to scroll the last chip out of the fade.
    paddingInlineEnd: { base: '8', md: '0' },
    maskImage: {
      base: 'linear-gradient(to right, {colors.text} calc(100% - {spacing.8}), transparent)',
      md: 'none',
    },
    scrollbarWidth: 'none',
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
    <Group role="group" aria-label={label}>
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
    </Group>
  )
}
