import { Box } from '@chakra-ui/react'

/** How far something is, as a bar; `text` says it in words. */
export function ProgressBar({
  label,
  share,
  text,
  reached = false,
}: {
  label: string
  /** 1 for all of it; more and less are cut. */
  share: number
  text: string
  reached?: boolean
}) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100)
  return (
    <Box
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
      height="2.5"
      borderRadius="full"
      bg="pressed"
      overflow="hidden"
    >
      <Box
        height="100%"
        borderRadius="full"
        bg={reached ? 'success.solid' : 'ember.ring'}
        transition="width {durations.slow} {easings.out}"
        style={{ width: `${percent}%` }}
      />
    </Box>
  )
}
