import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { TextField } from '@/ui/Field'
import { FileButton, imageTypes } from '@/ui/FileButton'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, ImageIcon } from '@/ui/icons'
import { FileRejectedError, sniffImage } from '@/uploads/file-type'
import { compressAndUploadImage, showUploadError } from '../../api/upload'
import type { ChosenMedia } from '../../chosen-media'
import { altTextHint } from '../../model'
import { changeProductDraft, type ProductDraft } from '../../product-draft'
import { UploadAnnouncer } from '../composer/UploadAnnouncer'
import { UploadStatusBar } from '../composer/UploadStatusBar'

const Image = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'contain' } })

/** Shows the product's image, the progress of its upload, and its alt text. */
export function ProductImageField({
  userId,
  draft,
  image,
  disabled,
}: {
  userId: string
  draft: ProductDraft
  image: ProductImage
  disabled: boolean
}) {
  const { chosen } = image
  const imageUrl = chosen?.previewUrl ?? draft.imageUrl
  const root = useRef<HTMLDivElement>(null)
  // The pressed button disappears, so the focus moves to the field.
  const choose = (file: File) => {
    root.current?.focus()
    void image.choose(file)
  }
  const remove = () => {
    root.current?.focus()
    image.remove()
  }
  const isUnfinished = chosen !== undefined && chosen.state !== 'done'
  return (
    <Box ref={root} tabIndex={-1} outline="none">
      <UploadAnnouncer chosen={chosen} />
      {!imageUrl && (
        <FileButton accept={imageTypes} onFile={choose} variant="outline" width="100%" disabled={disabled}>
          <Box as="span" fontSize="xl">
            <ImageIcon />
          </Box>
          <Trans>Add an image (optional)</Trans>
        </FileButton>
      )}
      {imageUrl && (
        <Box role="group" aria-label={t`Image`} display="grid" gap="4">
          <Box
            position="relative"
            height={{ base: '12rem', md: '14rem' }}
            borderRadius="md"
            borderWidth="1px"
            overflow="hidden"
            bg="sunken"
          >
            <Image src={imageUrl} alt={draft.altText} />
            {isUnfinished ? (
              <UploadStatusBar chosen={chosen} onCancel={remove} onRetry={() => choose(chosen.file)} />
            ) : (
              <Box position="absolute" top="2" insetEnd="2">
                <IconButton
                  label={t`Remove image`}
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
            label={t`Alt text (optional)`}
            hint={altTextHint('image')}
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

/** The current upload. `finished` resolves to whether it succeeded. */
interface Upload {
  abort: AbortController
  finished: Promise<boolean>
  previewUrl: string
}

export type ProductImage = ReturnType<typeof useProductImage>

/** Manages the image of the product draft. A chosen image is uploaded immediately and then added to the draft. */
export function useProductImage(userId: string) {
  const [chosen, setChosen] = useState<ChosenMedia>()
  const upload = useRef<Upload>(undefined)
  // How many times an image has been chosen or removed. If the number changes while a file is being checked, the result
  // of the check is ignored.
  const changeCount = useRef(0)
  /** The check of a file that was just chosen. Resolves to whether the file was accepted. */
  const check = useRef<Promise<boolean>>(undefined)

  const clear = () => {
    changeCount.current += 1
    upload.current?.abort.abort()
    if (upload.current) URL.revokeObjectURL(upload.current.previewUrl)
    upload.current = undefined
    setChosen(undefined)
  }
  useEffect(
    () => () => {
      changeCount.current += 1
      upload.current?.abort.abort()
      if (upload.current) URL.revokeObjectURL(upload.current.previewUrl)
    },
    [],
  )

  /** Checks a file and, if it is an image, starts to upload it. Returns false if the file is rejected. */
  const choose = async (file: File): Promise<boolean> => {
    changeCount.current += 1
    const change = changeCount.current
    try {
      const isImage = await sniffImage(file)
      if (change !== changeCount.current) return true
      if (!isImage) throw new FileRejectedError(t`Invalid file type`, uploadErrors.imageType)
    } catch (error) {
      showUploadError(error)
      return false
    }
    clear()
    changeProductDraft(userId, { imageUrl: null })
    const abort = new AbortController()
    const previewUrl = URL.createObjectURL(file)
    setChosen({ kind: 'image', file, previewUrl, state: 'preparing', percent: 0 })
    upload.current = { abort, previewUrl, finished: uploadImage(file, abort.signal) }
    return true
  }

  /** Returns whether the upload succeeded. */
  const uploadImage = async (file: File, signal: AbortSignal): Promise<boolean> => {
    const update = (fields: Partial<ChosenMedia>) => {
      if (!signal.aborted) setChosen((current) => current && { ...current, ...fields })
    }
    try {
      const imageUrl = await compressAndUploadImage(file, {
        signal,
        onProgress: (percent) => update({ state: 'uploading', percent }),
        onConnectionLost: () => update({ state: 'waiting', percent: 0 }),
      })
      if (signal.aborted) return false
      changeProductDraft(userId, { imageUrl })
      update({ state: 'done', percent: 100, uploadedUrl: imageUrl })
      return true
    } catch (error) {
      if (signal.aborted) return false
      // A rejected file would be rejected again. After any other error, the user can retry.
      if (error instanceof FileRejectedError) clear()
      else update({ state: 'failed' })
      showUploadError(error)
      return false
    }
  }

  return {
    chosen,
    choose: async (file: File) => {
      const started = choose(file)
      check.current = started
      await started
      if (check.current === started) check.current = undefined
    },
    /** Removes the image and its alt text from the draft. */
    remove: () => {
      clear()
      changeProductDraft(userId, { imageUrl: null, altText: '' })
    },
    /** Clears the chosen image and cancels its upload. The draft does not change. */
    clear,
    /**
     * Waits until the chosen file, if any, is checked and uploaded. Returns false if the file was rejected or the
     * upload failed or was cancelled. The product must not be posted in that case.
     */
    waitForUpload: async () => {
      if (check.current && !(await check.current)) return false
      return upload.current ? upload.current.finished : true
    },
  }
}
