import { Box, chakra } from '@chakra-ui/react'
import { useState } from 'react'
import { Button } from '@/ui/Button'
import { EyeIcon } from '@/ui/icons'
import { InlineError } from '@/ui/states'

const shape = {
  display: 'block',
  width: '100%',
  maxHeight: '24rem',
  objectFit: 'contain',
  borderRadius: 'md',
} as const
const Image = chakra('img', {
  base: { ...shape, minHeight: '8rem' },
  // Nothing of it is to be made out.
  variants: { sealed: { true: { filter: 'blur(2rem)' } } },
})
const Film = chakra('video', { base: { ...shape, minHeight: '8rem' } })

const fileOf = (id: string) => `/api/media/${id}`

/** The picture or video of a reported thing: out of focus until it is asked for, as it may be hard to look at. */
export function BlurredMedia({
  type,
  mediaId,
  posterId,
  alt,
}: {
  type: 'image' | 'video'
  mediaId: string
  posterId: string | undefined
  alt: string | undefined
}) {
  const [open, setOpen] = useState(false)
  const [failed, setFailed] = useState(false)
  const what = type === 'video' ? 'video' : 'picture'
  const still = type === 'video' ? posterId : mediaId
  if (failed)
    return <InlineError text={`The ${what} did not load: it may be gone.`} onRetry={() => setFailed(false)} />
  return (
    <Box
      position="relative"
      overflow="hidden"
      minHeight="8rem"
      maxWidth="26rem"
      marginTop="3"
      bg="sunken"
      borderRadius="md"
      borderWidth="1px"
    >
      {open && type === 'video' ? (
        <Film
          src={fileOf(mediaId)}
          poster={posterId && fileOf(posterId)}
          controls
          autoFocus
          onError={() => setFailed(true)}
        />
      ) : (
        still && (
          <Image
            src={fileOf(still)}
            alt={open ? (alt ?? '') : ''}
            sealed={!open}
            loading="lazy"
            decoding="async"
            onError={() => setFailed(true)}
          />
        )
      )}
      {!open && (
        <Box position="absolute" inset="0" display="grid" placeItems="center">
          <Button onClick={() => setOpen(true)}>
            <EyeIcon /> Show {what}
          </Button>
        </Box>
      )}
    </Box>
  )
}
