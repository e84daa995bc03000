import { Box, chakra } from '@chakra-ui/react'
import type { ComponentProps, ReactNode } from 'react'
import { CountBadge } from './Badge'

const Round = chakra('button', {
  base: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    width: 'target',
    height: 'target',
    borderRadius: 'full',
    fontSize: 'xl',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
  },
})

/** A round button of the header that opens a panel, with how many in it are unread. */
export function HeaderButton({
  label,
  count,
  icon,
  ...props
}: ComponentProps<typeof Round> & { label: string; count: number; icon: ReactNode }) {
  return (
    <Round type="button" aria-label={count > 0 ? `${label}, ${count} unread` : label} {...props}>
      {icon}
      <Box position="absolute" top="0.5" insetEnd="0">
        <CountBadge count={count} />
      </Box>
    </Round>
  )
}
