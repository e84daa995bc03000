import { Box, type BoxProps, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { displayName } from '@/lib/text'
import type { Lightbox } from '@/ui/Lightbox'
import { VisuallyHidden } from '@/ui/layout'
import { InlineError } from '@/ui/states'
import { toast } from '@/ui/toaster'
import { frameRatio } from '../model'

/**
 * Shows the image or video of a post, if it has one. Unless `isWhole` is set, wide screens crop a landscape image and
 * show other media at a smaller size, so that more posts of a list fit on the screen. The lightbox always shows the
 * whole image.
 */
export function PostMedia({ post, isWhole }: { post: Post; isWhole: boolean }) {
  const authorName = displayName(post.user)
  if (post.videoUrl)
    return (
      <PostVideo
        key={post.videoUrl}
        post={post}
        url={post.videoUrl}
        authorName={authorName}
        isWhole={isWhole}
      />
    )
  if (post.imageUrl)
    return (
      <PostImage
        key={post.imageUrl}
        post={post}
        url={post.imageUrl}
        authorName={authorName}
        isWhole={isWhole}
      />
    )
  return null
}

/** The maximum height of a landscape image in a list on a wide screen. */
const landscapeHeight = '17rem'
/** Limits the height of any other image or video in a list on a wide screen to 26rem, and the width accordingly. */
const portraitSize = (post: Post) => ({ maxWidth: { md: `calc(26rem * ${frameRatio(post)})` } })

const OpenButton = chakra('button', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    cursor: 'zoom-in',
    borderRadius: { base: '0', md: 'md' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})
const Image = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'contain' } })

let hasRenderedImage = false

/**
 * Returns whether this is the first image since the page was loaded. The first image is almost always in view, so it
 * must not be loaded lazily.
 */
function useIsFirstImage(): boolean {
  const [isFirst] = useState(() => !hasRenderedImage)
  hasRenderedImage = true
  return isFirst
}

/** Shows an image that opens in a lightbox, or an error if it does not load. */
function PostImage({
  post,
  url,
  authorName,
  isWhole,
}: {
  post: Post
  url: string
  authorName: string
  isWhole: boolean
}) {
  const isFirst = useIsFirstImage()
  const [failed, setFailed] = useState(false)
  const [isLightboxOpen, setLightboxOpen] = useState(false)
  // Loaded when a photo is opened for the first time.
  const [lightbox, setLightbox] = useState<{ Lightbox: typeof Lightbox }>()
  const openButton = useRef<HTMLButtonElement>(null)
  const open = async () => {
    try {
      setLightbox(await import('@/ui/Lightbox'))
      setLightboxOpen(true)
    } catch {
      toast({ title: t`Couldn't open the photo. Try again.`, tone: 'destructive' })
    }
  }
  const alt = post.altText ?? ''
  const isCropped = !isWhole && frameRatio(post) > 1
  const size = isWhole ? {} : isCropped ? { maxHeight: { md: landscapeHeight } } : portraitSize(post)
  if (failed) {
    return (
      <MediaFrame post={post} {...size}>
        <InlineError cover text={t`Couldn't load the photo. Try again.`} onRetry={() => setFailed(false)} />
      </MediaFrame>
    )
  }
  return (
    <MediaFrame post={post} {...size}>
      <OpenButton ref={openButton} type="button" onClick={() => void open()}>
        <VisuallyHidden>{alt ? t`Open photo:` : t`Open photo by ${authorName}`}</VisuallyHidden>
        <Image
          src={url}
          alt={alt}
          objectFit={{ md: isCropped ? 'cover' : 'contain' }}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding="async"
          onError={() => setFailed(true)}
        />
      </OpenButton>
      {lightbox && (
        <lightbox.Lightbox
          items={[
            {
              id: post.id,
              kind: 'image',
              url,
              label: alt ? t`Photo: ${alt}` : t`Photo by ${authorName}`,
              alt,
              text: alt,
              width: post.mediaWidth,
              height: post.mediaHeight,
              placeholder: post.placeholder,
              canDownload: post.mine,
            },
          ]}
          openId={isLightboxOpen ? post.id : null}
          onOpen={(id) => setLightboxOpen(id !== null)}
          finalFocus={() => openButton.current}
        />
      )}
    </MediaFrame>
  )
}

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
 * Shows a video with the browser's controls, or an error if it cannot be played. Before playback, the browser fetches
 * only the poster or, without one, the metadata and the first frame.
 */
function PostVideo({
  post,
  url,
  authorName,
  isWhole,
}: {
  post: Post
  url: string
  authorName: string
  isWhole: boolean
}) {
  const { altText } = post
  const [failed, setFailed] = useState(false)
  return (
    <MediaFrame post={post} {...(!isWhole && portraitSize(post))}>
      {failed ? (
        <InlineError cover text={t`Couldn't play the video. Try again.`} onRetry={() => setFailed(false)} />
      ) : (
        <Player
          ref={observePlayer}
          src={url}
          poster={post.posterUrl ?? undefined}
          preload={post.posterUrl ? 'none' : 'metadata'}
          controls
          playsInline
          aria-label={altText ? t`Video: ${altText}` : t`Video by ${authorName}`}
          onPlay={(event) => pauseOtherVideos(event.currentTarget)}
          onError={() => setFailed(true)}
        />
      )}
    </MediaFrame>
  )
}

/** A ref callback. It is outside the component, so that React does not detach and reattach it on each render. */
function observePlayer(video: HTMLVideoElement | null) {
  return video ? pauseWhenOffscreen(video) : undefined
}

let playingVideo: HTMLVideoElement | null = null

/** Pauses the video that was playing when `video` started. */
function pauseOtherVideos(video: HTMLVideoElement): void {
  if (playingVideo !== video) playingVideo?.pause()
  playingVideo = video
}

/**
 * Pauses a video when most of it is scrolled out of the viewport, except in fullscreen or picture-in-picture mode.
 * Returns a function that stops observing it.
 */
function pauseWhenOffscreen(video: HTMLVideoElement): () => void {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry || entry.intersectionRatio >= 0.25) return
      if (document.fullscreenElement === video || document.pictureInPictureElement === video) return
      video.pause()
    },
    { threshold: 0.25 },
  )
  observer.observe(video)
  return () => {
    observer.disconnect()
    if (playingVideo === video) playingVideo = null
  }
}

const Placeholder = chakra('img', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    filter: 'blur(1.25rem)',
    // Moves the edges, where the blur is transparent, out of the frame.
    transform: 'scale(1.15)',
  },
})

/**
 * Reserves space for a post's image or video, and shows the blurred placeholder behind `children`. On phones, the frame
 * extends to the edges of the screen.
 */
export function MediaFrame({ post, children, ...props }: BoxProps & { post: Post }) {
  return (
    <Box
      data-frame
      position="relative"
      isolation="isolate"
      overflow="hidden"
      marginTop="2.5"
      marginInline={{ base: '-4', md: '0' }}
      // Explicit, because `maxHeight` would make a box with an automatic width narrower. On phones, the width includes
      // the post's padding, which is 4 on each side.
      width={{ base: 'calc(100% + {spacing.8})', md: '100%' }}
      bg="sunken"
      borderRadius={{ base: '0', md: 'md' }}
      borderWidth={{ base: '0', md: '1px' }}
      style={{ aspectRatio: frameRatio(post) }}
      {...props}
    >
      {post.placeholder && <Placeholder src={post.placeholder} alt="" aria-hidden decoding="async" />}
      {children}
    </Box>
  )
}
