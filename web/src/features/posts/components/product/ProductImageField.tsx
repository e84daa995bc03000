import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { useRef } from 'react'
import { TextField } from '@/ui/Field'
import { FileButton } from '@/ui/FileButton'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, ImageIcon } from '@/ui/icons'
import { changeProductDraft, type ProductDraft } from '../../product-draft'
import { UploadAnnouncer } from '../composer/UploadAnnouncer'
import { UploadStatusBar } from '../composer/UploadStatusBar'
import type { ProductImage } from './useProductImage'

const Picture = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'contain' } })

/** The product's picture, how far its upload is, and what it shows in words. */
export function ProductImageField({
  userId,
  draft,
  picture,
  disabled,
}: {
  userId: string
  draft: ProductDraft
  picture: ProductImage
  disabled: boolean
}) {
  const { chosen } = picture
  const shown = chosen?.previewUrl ?? draft.imageUrl
  const place = useRef<HTMLDivElement>(null)
  // What was pressed goes with the press: the focus stays where it was.
  const choose = (file: File) => {
    place.current?.focus()
    picture.choose(file)
  }
  const remove = () => {
    place.current?.focus()
    picture.remove()
  }
  const isBusy = chosen !== undefined && chosen.state !== 'done'
  return (
    <Box ref={place} tabIndex={-1} outline="none">
      <UploadAnnouncer chosen={chosen} />
      {!shown && (
        <FileButton
          accept="image/jpeg,image/png,image/gif"
          onFile={choose}
          variant="outline"
          width="100%"
          disabled={disabled}
        >
          <Box as="span" fontSize="xl">
            <ImageIcon />
          </Box>
          Add an image (optional)
        </FileButton>
      )}
      {shown && (
        <Box role="group" aria-label="Image" display="grid" gap="4">
          <Box
            position="relative"
            height={{ base: '12rem', md: '14rem' }}
            borderRadius="md"
            borderWidth="1px"
            overflow="hidden"
            bg="sunken"
          >
            <Picture src={shown} alt={draft.altText} />
            {isBusy ? (
              <UploadStatusBar chosen={chosen} onCancel={remove} onRetry={() => choose(chosen.file)} />
            ) : (
              <Box position="absolute" top="2" insetEnd="2">
                <IconButton
                  label="Remove image"
                  variant="quiet"
                  boxShadow="mid"
                  disabled={disabled}
                  onClick={remove}
                >
                  <CloseIcon />
                </IconButton>
              </Box>
            )}
          </Box>
          <TextField
            label="Alt text (optional)"
            hint="Says what is to be seen, for people who cannot see it."
            value={draft.altText}
            onChange={(event) => changeProductDraft(userId, { altText: event.target.value })}
            maxLength={limits.altText.max}
            readOnly={disabled}
            dir="auto"
          />
        </Box>
      )}
    </Box>
  )
}
