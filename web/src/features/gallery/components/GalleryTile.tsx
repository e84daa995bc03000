import { Box, chakra } from '@chakra-ui/react'
import type { GalleryItem } from '@contract/gallery.ts'
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '@/ui/IconButton'
import { ImageIcon, MoreIcon, PlayIcon, TrashIcon, VideoIcon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/Menu'
import { useFocusAfterRemoval } from '@/ui/restore-focus'
import { mediaAltText, tileId } from '../model'

const fill = { position: 'absolute', inset: '0', width: '100%', height: '100%', objectFit: 'cover' } as const
const Image = chakra('img', { base: fill })
const Video = chakra('video', { base: { ...fill, pointerEvents: 'none' } })
const Tile = chakra('li', {
  base: {
    position: 'relative',
    aspectRatio: '1',
    overflow: 'hidden',
    bg: 'sunken',
    borderRadius: { base: '0', md: 'md' },
    // The menu button appears on hover or focus, and is always visible on touch screens.
    '& [data-tile-menu]': { opacity: 0, transition: 'opacity {durations.fast}' },
    '&:is(:hover, :focus-within) [data-tile-menu]': { opacity: 1 },
    '@media (hover: none)': { '& [data-tile-menu]': { opacity: 1 } },
  },
})
const OpenButton = chakra('button', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    cursor: 'zoom-in',
    _focusVisible: { outlineOffset: '-3px', borderRadius: 'md' },
  },
})

/** Shows an image or video cropped to a square. A click opens it in the lightbox. */
export function GalleryTile({
  item,
  ownerName,
  onOpen,
  onDelete,
}: {
  item: GalleryItem
  ownerName: string
  onOpen: () => void
  onDelete: (() => void) | undefined
}) {
  const name = mediaAltText(item, ownerName)
  const focusHandlers = useFocusAfterRemoval((tile) => [
    tile.nextElementSibling?.querySelector('button'),
    tile.previousElementSibling?.querySelector('button'),
  ])
  return (
    <Tile {...focusHandlers}>
      <OpenButton type="button" id={tileId(item.id)} aria-label={name} onClick={onOpen}>
        {item.mediaType === 'image' ? <ImageThumbnail item={item} /> : <VideoThumbnail url={item.mediaUrl} />}
      </OpenButton>
      {onDelete && (
        <Box
          position="absolute"
          top={{ base: '0', md: '1' }}
          insetEnd={{ base: '0', md: '1' }}
          data-tile-menu
        >
          <Menu
            label={name}
            trigger={
              <IconButton label={t`Options for ${name}`} tooltip={false} size="icon" variant="ghost">
                <Box
                  as="span"
                  display="grid"
                  placeItems="center"
                  width="8"
                  height="8"
                  borderRadius="full"
                  bg="glass"
                  color="text"
                >
                  <MoreIcon />
                </Box>
              </IconButton>
            }
          >
            <MenuItem value="delete" danger onSelect={onDelete}>
              <TrashIcon /> {t`Delete`}
            </MenuItem>
          </Menu>
        </Box>
      )}
    </Tile>
  )
}

const MediaErrorIcon = ({ children }: { children: ReactNode }) => (
  <Box
    as="span"
    position="absolute"
    inset="0"
    display="grid"
    placeItems="center"
    color="muted"
    fontSize="2xl"
  >
    {children}
  </Box>
)

function ImageThumbnail({ item }: { item: GalleryItem }) {
  const [hasFailed, setFailed] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  return (
    <>
      {/* The placeholder is removed once the image has loaded, because it would show through a transparent image. */}
      {item.placeholder && !isLoaded && (
        <Image src={item.placeholder} alt="" filter="blur(0.75rem)" transform="scale(1.2)" />
      )}
      {hasFailed ? (
        <MediaErrorIcon>
          <ImageIcon />
        </MediaErrorIcon>
      ) : (
        <Image
          src={item.mediaUrl}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setLoaded(true)}
          onError={() => setFailed(true)}
        />
      )}
    </>
  )
}

/** Shows a frame of a video. The video loads when it is near the viewport: `loading="lazy"` only works for images. */
function VideoThumbnail({ url }: { url: string }) {
  const containerRef = useRef<HTMLSpanElement>(null)
  const [isNearViewport, setNearViewport] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!containerRef.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNearViewport(true),
      { rootMargin: '300px' },
    )
    observer.observe(containerRef.current)
    return () => observer.disconnect()
  }, [])
  return (
    <Box as="span" ref={containerRef} position="absolute" inset="0" bg="stage.bg">
      {isNearViewport && !hasFailed && (
        <Video
          src={`${url}#t=0.1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          aria-hidden
          onError={() => setFailed(true)}
        />
      )}
      {hasFailed && (
        <MediaErrorIcon>
          <VideoIcon />
        </MediaErrorIcon>
      )}
      <Box
        as="span"
        position="absolute"
        bottom="2"
        insetStart="2"
        display="grid"
        placeItems="center"
        width="8"
        height="8"
        borderRadius="full"
        bg="glass"
        color="text"
        fontSize="lg"
      >
        <PlayIcon filled />
      </Box>
    </Box>
  )
}
