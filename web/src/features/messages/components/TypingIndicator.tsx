import { Box, chakra } from '@chakra-ui/react'
import { Trans } from '@lingui/react/macro'

const Dot = chakra('span', {
  base: {
    width: '1.5',
    height: '1.5',
    borderRadius: 'full',
    bg: 'muted',
    animation: 'breathe 1s ease-in-out infinite',
  },
})

/** Shows that the other user is typing. */
export function TypingIndicator({ name }: { name: string }) {
  return (
    <Box display="flex" alignItems="center" gap="2" textStyle="caption" color="muted">
      <Box
        aria-hidden
        display="flex"
        gap="1"
        bg="sunken"
        borderRadius="lg"
        paddingInline="3"
        paddingBlock="2.5"
      >
        <Dot />
        <Dot animationDelay="150ms" />
        <Dot animationDelay="300ms" />
      </Box>
      <span>
        <Trans>
          <bdi>{name}</bdi> is typing…
        </Trans>
      </span>
    </Box>
  )
}
