import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { dollars } from '@/lib/format'

/** What a month costs, and in a word how one's own plan stands. */
export function PlanPrice({ price, badge }: { price: number; badge?: ReactNode }) {
  return (
    <Box as="span" display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1">
      <Box as="span" color="text">
        <Box as="span" textStyle="title" fontVariantNumeric="tabular-nums">
          {dollars(price)}
        </Box>{' '}
        per month
      </Box>
      {badge}
    </Box>
  )
}

/** One more thing to know of it. */
export function PlanNote({ children }: { children: ReactNode }) {
  return (
    <Box as="span" display="block" marginTop="1.5">
      {children}
    </Box>
  )
}
