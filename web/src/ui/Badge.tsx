import { chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { formatCount } from '@/lib/format'

const Pill = chakra('span', {
  base: {
    display: 'inline-grid',
    placeItems: 'center',
    minWidth: '1rem',
    height: '1rem',
    paddingInline: '1',
    outline: '2px solid',
    outlineColor: 'bg',
    verticalAlign: 'top',
    borderRadius: 'full',
    bg: 'ember.solid',
    color: 'ember.on',
    fontSize: '0.625rem',
    fontWeight: 'bold',
    lineHeight: '1',
    fontVariantNumeric: 'tabular-nums',
  },
})

/**
 * Shows an unread count, capped at '9+', or nothing at zero. Hidden from screen readers: the button around it has the
 * count in its label.
 */
export function CountBadge({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <Pill aria-hidden>
      {count > limits.badgeCap ? `${formatCount(limits.badgeCap)}+` : formatCount(count)}
    </Pill>
  )
}

/** Shows a short label such as 'Creator' or 'Admin'. */
export const Badge = chakra('span', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    height: '1.375rem',
    paddingInline: '2',
    borderRadius: 'full',
    fontSize: 'xs',
    fontWeight: 'semibold',
    whiteSpace: 'nowrap',
  },
  variants: {
    tone: {
      neutral: { bg: 'sunken', color: 'muted' },
      ember: { bg: 'ember.wash', color: 'ember.text' },
      gold: { bg: 'gold.wash', color: 'gold.text' },
      danger: { bg: 'danger.wash', color: 'danger.text' },
      success: { bg: 'success.wash', color: 'success.text' },
    },
  },
  defaultVariants: { tone: 'neutral' },
})
