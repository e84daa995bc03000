import { Box, chakra } from '@chakra-ui/react'
import type { GalleryItem } from '@contract/gallery.ts'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '@/ui/IconButton'
import { ImageIcon, MoreIcon, PlayIcon, TrashIcon, VideoIcon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/Menu'
import { mediaAltText, tileId } from '../model'

const fill = { position: 'absolute', inset: '0', width: '100%', height: '100%', objectFit: 'cover' } as const
const Image = chakra('img', { base: fill })
const Video = chakra('video', { base: { ...fill, pointerEvents: 'none' } })
const Item = chakra('li', {
  base: {
    position: 'relative',
    aspectRatio: '1',
    overflow: 'hidden',
    bg: 'sunken',
    borderRadius: { base: '0', md: 'md' },
    // The way to what can be done with it: there at once where nothing hovers.
    '& [data-tile-menu]': { opacity: 0, transition: 'opacity {durations.fast}' },
    '&:is(:hover, :focus-within) [data-tile-menu]': { opacity: 1 },
    '@media (hover: none)': { '& [data-tile-menu]': { opacity: 1 } },
  },
})
const Opener = chakra('button', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    cursor: 'zoom-in',
    _focusVisible: { outlineOffset: '-3px', borderRadius: 'md' },
  },
})

/** One picture or video of a gallery, cut to a square; it opens large. */
export function GalleryTile({
  item,
  by,
  onOpen,
  onDelete,
}: {
  item: GalleryItem
  by: string
  onOpen: () => void
  onDelete: (() => void) | undefined
}) {
  const name = mediaAltText(item, by)
  return (
    <Item>
      <Opener type="button" id={tileId(item.id)} aria-label={name} onClick={onOpen}>
        {item.mediaType === 'image' ? <Picture item={item} /> : <Film url={item.mediaUrl} />}
      </Opener>
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
              <IconButton label={`Options for ${name}`} tooltip={false} size="icon" variant="ghost">
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
              <TrashIcon /> Delete
            </MenuItem>
          </Menu>
        </Box>
      )}
    </Item>
  )
}

const Missing = ({ children }: { children: React.ReactNode }) => (
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

function Picture({ item }: { item: GalleryItem }) {
  const [failed, setFailed] = useState(false)
  const [loaded, setLoaded] = useState(false)
  return (
    <>
      {/* Behind a picture that can be seen through it would show on. */}
      {item.placeholder && !loaded && (
        <Image src={item.placeholder} alt="" filter="blur(0.75rem)" transform="scale(1.2)" />
      )}
      {failed ? (
        <Missing>
          <ImageIcon />
        </Missing>
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

/** The first moment of a video. Nothing of it is fetched before it is nearly in sight: browsers wait with pictures alone. */
function Film({ url }: { url: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const [near, setNear] = useState(false)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '300px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <Box as="span" ref={place} position="absolute" inset="0" bg="stage.dark">
      {near && !failed && (
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
      {failed && (
        <Missing>
          <VideoIcon />
        </Missing>
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
