import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Button } from '@/ui/Button'
import { PlayIcon } from '@/ui/icons'
import { TextAnchor } from '@/ui/layout'
import { type TikTokVideo, tikTokOrigin, tikTokPageUrl, tikTokPlayerUrl } from '../model'

const PlayButton = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    minHeight: '16',
    paddingInline: '4',
    paddingBlock: '3',
    textAlign: 'start',
    bg: 'sunken',
    borderWidth: '1px',
    borderRadius: 'md',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
  },
})
const Player = chakra('iframe', {
  base: {
    display: 'block',
    width: '100%',
    maxWidth: '20rem',
    aspectRatio: '9 / 16',
    border: '0',
    borderRadius: 'md',
    bg: 'stage.bg',
  },
})

/** Shows a button that plays a TikTok video. Sends nothing to TikTok before the user presses it. */
export default function TikTokPlayer({ video }: { video: TikTokVideo }) {
  const [attempt, setAttempt] = useState(0)
  const isResponding = usePlayerResponds(attempt)
  const { user } = video
  const title = t`TikTok video by @${user}`
  return (
    <Box marginTop="2.5">
      {attempt > 0 ? (
        <Player
          key={attempt}
          src={tikTokPlayerUrl(video)}
          title={title}
          sandbox="allow-scripts allow-same-origin allow-popups"
          referrerPolicy="strict-origin-when-cross-origin"
          allow="fullscreen"
        />
      ) : (
        <PlayButton type="button" onClick={() => setAttempt(1)}>
          <Box
            as="span"
            display="grid"
            placeItems="center"
            width="10"
            height="10"
            flexShrink={0}
            borderRadius="full"
            bg="pressed"
            fontSize="xl"
          >
            <PlayIcon filled />
          </Box>
          <Box as="span" minWidth="0">
            <Box as="span" display="block" textStyle="label" overflowWrap="anywhere">
              {title}
            </Box>
            <Box as="span" display="block" textStyle="small" color="muted">
              <Trans>Loads from tiktok.com when you press play.</Trans>
            </Box>
          </Box>
        </PlayButton>
      )}
      <div role="status">
        {!isResponding && (
          <Box display="flex" flexWrap="wrap" alignItems="center" gap="3" marginTop="2.5" color="muted">
            <Trans>TikTok isn't responding.</Trans>
            <Button variant="outline" size="sm" onClick={() => setAttempt(attempt + 1)}>
              <Trans>Try again</Trans>
            </Button>
          </Box>
        )}
      </div>
      <TextAnchor
        href={tikTokPageUrl(video)}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        textStyle="small"
        display="inline-block"
        marginTop="1.5"
      >
        <Trans>Open on TikTok</Trans>
      </TextAnchor>
    </Box>
  )
}

const responseTimeoutMs = 8000

/**
 * Returns false if TikTok's player has not responded in time, for example because there is no connection. A page
 * cannot inspect the iframe, but the player posts a message when it has loaded. `attempt` is 0 until the user presses
 * play, and each attempt starts a new timeout.
 */
function usePlayerResponds(attempt: number): boolean {
  const [timedOutAttempt, setTimedOutAttempt] = useState(0)
  useEffect(() => {
    if (attempt === 0) return
    const timer = setTimeout(() => setTimedOutAttempt(attempt), responseTimeoutMs)
    const onMessage = ({ origin }: MessageEvent) => {
      if (origin !== tikTokOrigin) return
      clearTimeout(timer)
      setTimedOutAttempt(0)
    }
    window.addEventListener('message', onMessage)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('message', onMessage)
    }
  }, [attempt])
  return attempt === 0 || timedOutAttempt !== attempt
}
