import { Box, Tabs as Parts } from '@chakra-ui/react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { centerInRow } from './center-in-row'

type Tab = { value: string; label: ReactNode; content: ReactNode }

/**
 * Shows tabs and the content of the selected one; only that one is mounted. Arrow keys move between tabs. If the tab
 * list is wider than the screen, the selected tab is scrolled into view.
 */
export function Tabs({
  tabs,
  label,
  value,
  onChange,
  align = 'stretch',
  joined = false,
  action,
}: {
  tabs: Tab[]
  label: string
  value: string
  onChange: (value: string) => void
  /** On phones, whether the tabs share the width or, for labels of different lengths, line up with the page's title. */
  align?: 'stretch' | 'start'
  /** Whether the tabs are a row of the card that continues above and below them. */
  joined?: boolean
  /** Shown at the end of the row of tabs. */
  action?: ReactNode
}) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is selected
  useLayoutEffect(() => centerInRow(list.current, '[aria-selected=true]'), [value])
  const frame = joined && ({ bg: 'surface', borderInlineWidth: { md: '1px' } } as const)
  const row = (
    <Parts.List
      ref={list}
      aria-label={label}
      position="relative"
      {...(action && { flex: '1', minWidth: '0' })}
      {...(align === 'start' && { paddingInline: { base: '4', md: '0' }, gap: { base: '6', md: '0' } })}
      {...(!action && frame)}
    >
      {tabs.map((tab) => (
        <Parts.Trigger
          key={tab.value}
          value={tab.value}
          {...(align === 'start' && { flex: 'none', paddingInline: { base: '0', md: '4' } })}
          // Aligns the first label with the content of the card.
          {...(joined && { paddingInline: { md: '5' } })}
        >
          {tab.label}
        </Parts.Trigger>
      ))}
    </Parts.List>
  )
  return (
    <Parts.Root value={value} onValueChange={(details) => onChange(details.value)} lazyMount unmountOnExit>
      {action ? (
        <Box display="flex" {...frame}>
          {row}
          <Box boxShadow="inset 0 -1px {colors.hairline}">{action}</Box>
        </Box>
      ) : (
        row
      )}
      {tabs.map((tab) => (
        <Parts.Content key={tab.value} value={tab.value} {...(joined && { paddingTop: { md: '0' } })}>
          {tab.content}
        </Parts.Content>
      ))}
    </Parts.Root>
  )
}
