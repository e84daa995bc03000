import { Box } from '@chakra-ui/react'
import type { Comparison } from '../model'

const tones = {
  more: { color: 'success.text', arrow: '↑' },
  less: { color: 'danger.text', arrow: '↓' },
  same: { color: 'muted', arrow: '' },
  new: { color: 'success.text', arrow: '' },
} as const

/** '↑ 12% more than 30 days before (1,102), today left out', with `about` where more than one figure stands beside it. */
export function ComparisonText({ of: { tone, words, rest }, about }: { of: Comparison; about?: string }) {
  const { color, arrow } = tones[tone]
  return (
    <Box textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
      {about && `${about}: `}
      <Box as="span" color={color} fontWeight="medium" whiteSpace="nowrap">
        {arrow && <span aria-hidden>{arrow} </span>}
        {words}
      </Box>{' '}
      {rest}
    </Box>
  )
}
