import { chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useState } from 'react'
import { Lightbox } from '@/ui/Lightbox'
import { VisuallyHidden } from '@/ui/layout'
import { InlineError } from '@/ui/states'

import { MediaFrame } from './MediaFrame'

const Opener = chakra('button', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    cursor: 'zoom-in',
    borderRadius: 'md',
    _focusVisible: { outlineOffset: '-2px' },
  },
})
const Image = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'contain' } })

/** A picture in its frame, which opens large. One that did not come says so. */
export function PostImage({ post, url, by }: { post: Post; url: string; by: string }) {
  const [failed, setFailed] = useState(false)
  const [large, setLarge] = useState(false)
  const alt = post.altText ?? ''
  if (failed) {
    return (
      <MediaFrame post={post}>
        <InlineError cover text="The picture did not load." onRetry={() => setFailed(false)} />
      </MediaFrame>
    )
  }
  return (
    <MediaFrame post={post}>
      <Opener type="button" onClick={() => setLarge(true)}>
        <VisuallyHidden>{alt ? 'Open picture:' : `Open picture by ${by}`}</VisuallyHidden>
        <Image src={url} alt={alt} loading="lazy" decoding="async" onError={() => setFailed(true)} />
      </Opener>
      <Lightbox
        open={large}
        onClose={() => setLarge(false)}
        url={url}
        alt={alt}
        label={alt ? `Picture: ${alt}` : `Picture by ${by}`}
      />
    </MediaFrame>
  )
}
