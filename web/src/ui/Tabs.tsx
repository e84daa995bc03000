import { Tabs as Parts } from '@chakra-ui/react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

export type Tab = { value: string; label: ReactNode; content: ReactNode }

/**
 * Tabs of one page; only the chosen one is mounted. Arrows move between them. Where they are wider than the screen, the
 * chosen one is in sight.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab was chosen
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!list.current || !chosen) return
    // Not `scrollIntoView`, which moves the page as well.
    list.current.scrollLeft = chosen.offsetLeft - (list.current.clientWidth - chosen.offsetWidth) / 2
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
