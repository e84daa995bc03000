import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { type RefObject, useState } from 'react'
import { TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, ImageIcon, VideoIcon } from '@/ui/icons'
import { type ChosenMedia, chooseMedia, removeMedia } from '../../chosen-media'
import { altTextHint } from '../../model'
import { changePostDraft, draftMediaUrl, type PostDraft } from '../../post-draft'
import { uploadedText } from './UploadAnnouncer'
import { UploadStatusBar } from './UploadStatusBar'

const fillFrame = { width: '100%', height: '100%', objectFit: 'contain' } as const
const Image = chakra('img', { base: fillFrame })
const Video = chakra('video', { base: fillFrame })

/** Shows the post's image or video in a frame of fixed size, the progress of its upload, and its alt text. */
export function MediaField({
  userId,
  draft,
  chosen,
  disabled,
  fallbackFocusTarget,
}: {
  userId: string
  draft: PostDraft
  chosen: ChosenMedia | undefined
  disabled: boolean
  /** Receives the focus when the media is removed. */
  fallbackFocusTarget: RefObject<HTMLElement | null>
}) {
  const { media, altText } = draft
  // Another tab may have replaced the draft's media.
  const isCurrent =
    chosen && (chosen.state !== 'done' || (media && draftMediaUrl(media) === chosen.uploadedUrl))
  const preview = isCurrent ? chosen : undefined
  const kind = preview?.kind ?? media?.kind
  if (!kind) return null
  const remove = () => {
    removeMedia(userId)
    fallbackFocusTarget.current?.focus()
  }
  const isUnfinished = preview !== undefined && preview.state !== 'done'
  return (
    <Box role="group" aria-label={kind === 'image' ? t`Image` : t`Video`} marginTop="3">
      <Box
        position="relative"
        height={{ base: '15rem', md: '18rem' }}
        borderRadius="md"
        borderWidth="1px"
        overflow="hidden"
        bg="sunken"
      >
        {preview?.kind === 'video' ? (
          <Video
            src={preview.previewUrl}
            controls={!isUnfinished}
            muted
            playsInline
            preload="metadata"
            aria-label={t`Preview`}
          />
        ) : preview ? (
          <Image src={preview.previewUrl} alt={altText} />
        ) : (
          media && <UploadedMedia media={media} altText={altText} />
        )}
        {isUnfinished ? (
          <UploadStatusBar
            chosen={preview}
            onCancel={remove}
            onRetry={() => void chooseMedia(userId, preview.file, preview.kind)}
          />
        ) : (
          <Box position="absolute" top="2" insetEnd="2">
            <IconButton
              label={kind === 'image' ? t`Remove image` : t`Remove video`}
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
      <Box marginTop="3">
        <TextField
          label={t`Alt text (optional)`}
          hint={altTextHint(kind)}
          value={altText}
          onChange={(event) => changePostDraft(userId, { altText: event.target.value })}
          maxLength={limits.altText.max}
          readOnly={disabled}
          dir="auto"
        />
      </Box>
    </Box>
  )
}

/** Shows media that was uploaded before the page was loaded. A video cannot be played until it has been posted. */
function UploadedMedia({ media, altText }: { media: NonNullable<PostDraft['media']>; altText: string }) {
  const imageUrl = media.kind === 'image' ? media.imageUrl : media.posterUrl
  // An image that does not load stays in the draft, because only the server knows whether it can still be posted.
  const [brokenUrl, setBrokenUrl] = useState<string>()
  return (
    <>
      {imageUrl && imageUrl !== brokenUrl && (
        <Image src={imageUrl} alt={altText} onError={() => setBrokenUrl(imageUrl)} />
      )}
      {(media.kind === 'video' || imageUrl === brokenUrl) && (
        <Box
          position="absolute"
          insetInline="0"
          bottom="0"
          display="flex"
          alignItems="center"
          gap="2"
          padding="3"
          bg="glass"
          textStyle="label"
        >
          {media.kind === 'video' ? <VideoIcon /> : <ImageIcon />} {uploadedText(media.kind)}
        </Box>
      )}
    </>
  )
}
