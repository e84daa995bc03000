import { chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useState } from 'react'
import { InlineError } from '@/ui/states'
import { MediaFrame } from './MediaFrame'
import { pauseOtherVideos, pauseWhenOffscreen } from './video-playback'

const Player = chakra('video', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'contain',
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/**
 * A video in its frame with the browser's own controls. Nothing of it but its poster is fetched before it is played;
 * without one, what the browser needs to show its first picture.
 */
export function PostVideo({ post, url, by }: { post: Post; url: string; by: string }) {
  const [failed, setFailed] = useState(false)
  return (
    <MediaFrame post={post}>
      {failed ? (
        <InlineError cover text="The video cannot be played." onRetry={() => setFailed(false)} />
      ) : (
        <Player
          ref={watch}
          src={url}
          poster={post.posterUrl ?? undefined}
          preload={post.posterUrl ? 'none' : 'metadata'}
          controls
          playsInline
          aria-label={post.altText ? `Video: ${post.altText}` : `Video by ${by}`}
          onPlay={(event) => pauseOtherVideos(event.currentTarget)}
          onError={() => setFailed(true)}
        />
      )}
    </MediaFrame>
  )
}

function watch(video: HTMLVideoElement | null) {
  return video ? pauseWhenOffscreen(video) : undefined
}
