import { Box, type BoxProps } from '@chakra-ui/react'

/** Shows how much of an upload has been sent. The caller positions the bar with style props. */
export function UploadProgressBar({
  label,
  percent,
  ...props
}: BoxProps & {
  label: string
  /** Whole percent, from 0 to 100. */
  percent: number
}) {
  return (
    <Box
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      height="1"
      bg="sunken"
      {...props}
    >
      <Box
        height="100%"
        bg="ember.solid"
        // The last step is not animated, because the text beside the bar no longer shows a percentage then.
        transition={percent < 100 ? 'width {durations.fast} linear' : 'none'}
        style={{ width: `${percent}%` }}
      />
    </Box>
  )
}
