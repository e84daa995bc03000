import { Box } from '@chakra-ui/react'

/**
 * Shows loudness over time as bars.
 *
 * @param levels the loudness of each section, from 0 to 1
 * @param played the fraction of the bars that are highlighted, from 0 to 1
 */
export function Waveform({ levels, played = 1 }: { levels: readonly number[]; played?: number }) {
  return (
    <Box aria-hidden display="flex" alignItems="center" justifyContent="flex-end" gap="1px" height="7">
      {levels.map((level, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity other than their position
          key={index}
          flex="1 1 0"
          maxWidth="1"
          minHeight="0.5"
          borderRadius="full"
          bg="currentColor"
          opacity={index < played * levels.length ? 1 : 0.4}
          style={{ height: `${Math.round(level * 100)}%` }}
        />
      ))}
    </Box>
  )
}
