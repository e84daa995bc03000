import { Box } from '@chakra-ui/react'
import { type ComponentProps, useEffect, useState } from 'react'
import { EyeIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { formatDuration } from '../model'

/** What is said over the picture of a stream: that it is live, for how long, in what quality, and to how many. */
export function StreamOverlay({ since, viewers }: { since: number; viewers: number }) {
  return (
    <Box position="absolute" insetInline="3" top="3" display="flex" flexWrap="wrap" gap="2">
      <Pill bg="ember.solid" color="ember.on">
        <Box
          as="span"
          width="2"
          height="2"
          borderRadius="full"
          bg="currentColor"
          animation="breathe 1.6s ease-in-out infinite"
          aria-hidden
        />
        LIVE
      </Pill>
      <Pill>
        <VisuallyHidden>Live for</VisuallyHidden>
        <Elapsed since={since} />
      </Pill>
      <Pill>720p HD</Pill>
      <Pill marginInlineStart="auto" title="Simulated viewers">
        <EyeIcon />
        <span>
          {viewers}
          <VisuallyHidden>{viewers === 1 ? ' simulated viewer' : ' simulated viewers'}</VisuallyHidden>
        </span>
      </Pill>
    </Box>
  )
}

function Pill(props: ComponentProps<typeof Box>) {
  return (
    <Box
      display="flex"
      alignItems="center"
      gap="1.5"
      minHeight="7"
      paddingInline="2.5"
      borderRadius="full"
      bg="inverse"
      color="onInverse"
      textStyle="caption"
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
      {...props}
    />
  )
}

/** Counts on by itself: nothing around it is drawn again each second. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span>{formatDuration(now - since)}</span>
}
