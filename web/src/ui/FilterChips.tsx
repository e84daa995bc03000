import { chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { centerInRow } from './center-in-row'
import { CloseIcon } from './icons'
import { scrollingChips } from './layout'

const Chip = chakra('button', {
  base: {
    position: 'relative',
    minHeight: '9',
    // Extends the touch target to 44 px.
    _after: { content: '""', position: 'absolute', insetInline: '0', insetBlock: '-1' },
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
    '&:not([aria-pressed])': { display: 'inline-flex', alignItems: 'center', gap: '1.5' },
    '&:not([aria-pressed]):hover': { bg: 'hover' },
  },
})

/**
 * On phones, or if `singleLine`, the chips are on one line that scrolls horizontally and fades out at both ends.
 * Otherwise they wrap.
 */
const Group = chakra('div', {
  base: {
    position: 'relative',
    display: 'flex',
    gap: '2',
    scrollbarWidth: 'none',
  },
  variants: {
    singleLine: {
      true: { flexWrap: 'nowrap', overflowX: 'auto', ...scrollingChips },
      false: {
        flexWrap: { base: 'nowrap', md: 'wrap' },
        overflowX: { base: 'auto', md: 'visible' },
        mdDown: scrollingChips,
      },
    },
  },
})

/** Shows the filters of a list as chips, and scrolls the selected one into view. */
export function FilterChips<Value extends string>({
  label,
  options,
  value,
  onChange,
  singleLine = false,
}: {
  label: string
  options: readonly { value: Value; label: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
  /** Keeps the chips on one line on wide screens too, for narrow columns. */
  singleLine?: boolean
}) {
  const group = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another chip is selected
  useLayoutEffect(() => centerInRow(group.current, '[aria-pressed=true]'), [value])
  return (
    <Group ref={group} singleLine={singleLine} role="group" aria-label={label}>
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

/** Shows a filter that is applied to a list. Clicking it removes the filter. */
export function AppliedFilter({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Chip type="button" aria-label={t`Remove filter: ${label}`} onClick={onRemove}>
      {label}
      <CloseIcon />
    </Chip>
  )
}
