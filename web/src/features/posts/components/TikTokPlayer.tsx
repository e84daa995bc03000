import { Box, chakra } from '@chakra-ui/react'
import { useState } from 'react'
import { Button } from '@/ui/Button'
import { PlayIcon } from '@/ui/icons'
import { TextAnchor } from '@/ui/layout'
import { type TikTokVideo, tikTokPageUrl, tikTokPlayerUrl } from '../tiktok'
import { usePlayerResponds } from './usePlayerResponds'

const Facade = chakra('button', {
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
    bg: 'stage.dark',
  },
})

/** A video at TikTok. Nothing is asked of TikTok, and nothing told to it, before somebody wants to see it. */
export function TikTokPlayer({ video }: { video: TikTokVideo }) {
  const [attempt, setAttempt] = useState(0)
  const answers = usePlayerResponds(attempt)
  const name = `TikTok video by @${video.user}`
  return (
    <Box marginTop="2.5">
      {attempt > 0 ? (
        <Player
          key={attempt}
          src={tikTokPlayerUrl(video)}
          title={name}
          sandbox="allow-scripts allow-same-origin allow-popups"
          referrerPolicy="strict-origin-when-cross-origin"
          allow="fullscreen"
        />
      ) : (
        <Facade type="button" onClick={() => setAttempt(1)}>
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
              {name}
            </Box>
            <Box as="span" display="block" textStyle="small" color="muted">
              Plays from tiktok.com once you press it.
            </Box>
          </Box>
        </Facade>
      )}
      <div role="status">
        {!answers && (
          <Box display="flex" flexWrap="wrap" alignItems="center" gap="3" marginTop="2.5" color="muted">
            TikTok does not answer.
            <Button variant="outline" size="sm" onClick={() => setAttempt(attempt + 1)}>
              Try again
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
        Open on TikTok
      </TextAnchor>
    </Box>
  )
}
