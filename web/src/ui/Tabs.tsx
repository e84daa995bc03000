import { Tabs as Parts } from '@chakra-ui/react'
import type { ReactNode } from 'react'

export type Tab = { value: string; label: ReactNode; content: ReactNode }

/** Tabs of one page; only the chosen one is mounted. Arrows move between them. */
export function Tabs({
  tabs,
  label,
  value,
  onChange,
}: {
  tabs: Tab[]
  label: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Parts.Root value={value} onValueChange={(details) => onChange(details.value)} lazyMount unmountOnExit>
      <Parts.List aria-label={label}>
        {tabs.map((tab) => (
          <Parts.Trigger key={tab.value} value={tab.value}>
            {tab.label}
          </Parts.Trigger>
        ))}
      </Parts.List>
      {tabs.map((tab) => (
        <Parts.Content key={tab.value} value={tab.value}>
          {tab.content}
        </Parts.Content>
      ))}
    </Parts.Root>
  )
}
