import { Menu as Parts, Portal } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ReactElement, ReactNode } from 'react'

/**
 * Shows a menu next to its trigger. Arrow keys move between items, a letter jumps to an item, and Escape closes the
 * menu. `trigger` is one focusable element; children are `MenuItem`, `MenuLink`, `MenuGroup`, `MenuChoice` and
 * `MenuSeparator`. The menu is rendered at the end of the page, so that no card clips it. There, it has a landmark
 * region of its own, because all of a page's content must be in a landmark.
 */
export function Menu({
  trigger,
  children,
  label,
  placement = 'bottom-end',
}: {
  trigger: ReactElement
  children: ReactNode
  label: string
  placement?: 'bottom-start' | 'bottom-end' | 'top-start'
}) {
  return (
    <Parts.Root positioning={{ placement, gutter: 8 }} lazyMount unmountOnExit>
      <Parts.Trigger asChild>{trigger}</Parts.Trigger>
      <Portal>
        <Parts.Positioner asChild>
          <section aria-label={t`Menu`}>
            <Parts.Content aria-label={label}>{children}</Parts.Content>
          </section>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

export function MenuItem({
  value,
  onSelect,
  danger,
  disabled,
  children,
}: {
  /** Unique within the menu. */
  value: string
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <Parts.Item
      value={value}
      onSelect={onSelect}
      disabled={disabled}
      color={danger ? 'danger.text' : undefined}
    >
      {children}
    </Parts.Item>
  )
}

/** Shows a menu item that is a link. `children` is one router link. */
export function MenuLink({ value, children }: { value: string; children: ReactElement }) {
  return (
    <Parts.Item value={value} asChild>
      {children}
    </Parts.Item>
  )
}

/** Shows menu items below a label. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Parts.ItemGroup>
      <Parts.ItemGroupLabel maxWidth="16rem">{label}</Parts.ItemGroupLabel>
      {children}
    </Parts.ItemGroup>
  )
}

export function MenuSeparator() {
  return <Parts.Separator />
}

/** Shows a group of menu items, one of them selected. */
export function MenuChoice({
  label,
  value,
  onChange,
  options,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  options: { value: string; label: string; icon?: ReactNode }[]
}) {
  return (
    <Parts.RadioItemGroup value={value} onValueChange={(details) => onChange(details.value)}>
      <Parts.ItemGroupLabel>{label}</Parts.ItemGroupLabel>
      {options.map((option) => (
        <Parts.RadioItem key={option.value} value={option.value} closeOnSelect={false}>
          {option.icon}
          <Parts.ItemText>{option.label}</Parts.ItemText>
          <Parts.ItemIndicator color="ember.text">●</Parts.ItemIndicator>
        </Parts.RadioItem>
      ))}
    </Parts.RadioItemGroup>
  )
}
