import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

const Group = chakra('div', {
  base: {
    display: 'inline-flex',
    flexWrap: 'wrap',
    bg: 'sunken',
    // Fully round in one row, but not when the buttons wrap.
    borderRadius: 'xl',
    padding: '0.5',
    maxWidth: '100%',
  },
  variants: { fillsPhone: { true: { display: { base: 'flex', md: 'inline-flex' } } } },
})

const Segment = chakra('button', {
  base: {
    minHeight: '9',
    '@media (pointer: coarse)': { minHeight: 'target' },
    // Shrinks on narrow phones.
    paddingInline: 'clamp({spacing.1}, 2vw, {spacing.3.5})',
    borderRadius: 'full',
    textStyle: 'small',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    color: 'muted',
    cursor: 'pointer',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    _hover: { color: 'text' },
    '&[aria-pressed=true]': { bg: { _light: 'surface', _dark: 'pressed' }, color: 'text', boxShadow: 'low' },
  },
  variants: {
    fillsPhone: {
      // Equal widths, unless a label needs more.
      true: { flex: { base: '1 1 0', md: 'none' } },
      false: { minWidth: 'target' },
    },
  },
})

/**
 * Shows a few short options as joined buttons, one of them selected. With `fillsPhone`, they fill the width of a phone.
 */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
  fillsPhone = false,
}: {
  label: string
  /** `name` is the accessible name, if the label is an abbreviation. */
  options: readonly { value: Value; label: ReactNode; name?: string }[]
  value: Value
  onChange: (value: Value) => void
  fillsPhone?: boolean
}) {
  return (
    <Group role="group" aria-label={label} fillsPhone={fillsPhone}>
      {options.map((option) => (
        <Segment
          key={option.value}
          type="button"
          aria-label={option.name}
          aria-pressed={option.value === value}
          fillsPhone={fillsPhone}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </Segment>
      ))}
    </Group>
  )
}
