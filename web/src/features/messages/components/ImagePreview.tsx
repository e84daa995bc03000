import { Box, chakra } from '@chakra-ui/react'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon } from '@/ui/icons'
import { Spinner } from '@/ui/Spinner'
import type { ChosenImage } from '../chosen-image'

const Picture = chakra('img', {
  base: { width: '100%', height: '100%', objectFit: 'cover', borderRadius: 'md' },
})

/** The picture that goes with the message, and the way to leave it out. */
export function ImagePreview({ picture, onRemove }: { picture: ChosenImage; onRemove: () => void }) {
  const busy = picture.image === null
  return (
    <Box role="group" aria-label="Picture" display="flex" paddingInline="3" paddingTop="3">
      <Box position="relative" width="24" height="24" borderRadius="md" borderWidth="1px" bg="sunken">
        <Picture src={picture.previewUrl} alt="Preview" opacity={busy ? 0.5 : undefined} />
        {busy && (
          <Box
            role="status"
            aria-label="Preparing the picture"
            position="absolute"
            inset="0"
            display="grid"
            placeItems="center"
          >
            <Spinner />
          </Box>
        )}
        <Box position="absolute" top="-2" insetEnd="-7">
          <IconButton label="Remove picture" variant="quiet" boxShadow="mid" onClick={onRemove}>
            <CloseIcon />
          </IconButton>
        </Box>
      </Box>
    </Box>
  )
}
