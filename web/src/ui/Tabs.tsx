import { Tabs as Parts } from '@chakra-ui/react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

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
}: {
  tabs: Tab[]
  label: string
  value: string
  onChange: (value: string) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is selected
  useLayoutEffect(() => {
    const selected = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!list.current || !selected) return
    // `scrollIntoView` would scroll the page as well.
    list.current.scrollLeft = selected.offsetLeft - (list.current.clientWidth - selected.offsetWidth) / 2
  }, [value])
  return (
    <Parts.Root value={value} onValueChange={(details) => onChange(details.value)} lazyMount unmountOnExit>
      <Parts.List ref={list} aria-label={label} position="relative">
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
