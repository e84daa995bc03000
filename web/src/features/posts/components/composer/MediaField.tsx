import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type RefObject, useState } from 'react'
import { TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, ImageIcon, VideoIcon } from '@/ui/icons'
import { type ChosenMedia, chooseMedia, removeMedia } from '../../chosen-media'
import { draftMediaUrl, type PostDraft } from '../../post-draft'
import { changePostDraft } from '../../usePostDraft'
import { UploadStatusBar } from './UploadStatusBar'

const fill = { width: '100%', height: '100%', objectFit: 'contain' } as const
const Picture = chakra('img', { base: fill })
const Video = chakra('video', { base: fill })

/** The post's picture or video in a frame that never changes its size, how far its upload is, and its alt text. */
export function MediaField({
  userId,
  draft,
  chosen,
  disabled,
  returnTo,
}: {
  userId: string
  draft: PostDraft
  chosen: ChosenMedia | undefined
  disabled: boolean
  /** What gets the focus when it is removed. */
  returnTo: RefObject<HTMLElement | null>
}) {
  const { media, altText } = draft
  // Another tab may have put something else into the draft.
  const isCurrent = chosen && (chosen.state !== 'done' || (media && draftMediaUrl(media) === chosen.address))
  const shown = isCurrent ? chosen : undefined
  const kind = shown?.kind ?? media?.kind
  if (!kind) return null
  const remove = () => {
    removeMedia(userId)
    returnTo.current?.focus()
  }
  const isBusy = shown !== undefined && shown.state !== 'done'
  return (
    <Box role="group" aria-label={kind === 'image' ? 'Image' : 'Video'} marginTop="3">
      <Box
        position="relative"
        height={{ base: '15rem', md: '18rem' }}
        borderRadius="md"
        borderWidth="1px"
        overflow="hidden"
        bg="sunken"
      >
        {shown?.kind === 'video' ? (
          <Video
            src={shown.previewUrl}
            controls={!isBusy}
            muted
            playsInline
            preload="metadata"
            aria-label="Preview"
          />
        ) : shown ? (
          <Picture src={shown.previewUrl} alt={altText} />
        ) : (
          media && <Uploaded media={media} altText={altText} />
        )}
        {isBusy ? (
          <UploadStatusBar
            chosen={shown}
            onCancel={remove}
            onRetry={() => void chooseMedia(userId, shown.file, shown.kind)}
          />
        ) : (
          <Box position="absolute" top="2" insetEnd="2">
            <IconButton
              label={kind === 'image' ? 'Remove image' : 'Remove video'}
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
          label="Alt text (optional)"
          hint="Says what is to be seen, for people who cannot see it."
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

/** What an earlier page has uploaded. The video itself can be seen once it is posted. */
function Uploaded({ media, altText }: { media: NonNullable<PostDraft['media']>; altText: string }) {
  const picture = media.kind === 'image' ? media.imageUrl : media.posterUrl
  // Whether it can still be posted is for the server to say: a picture that does not load is no reason to drop it.
  const [broken, setBroken] = useState<string>()
  return (
    <>
      {picture && picture !== broken && (
        <Picture src={picture} alt={altText} onError={() => setBroken(picture)} />
      )}
      {(media.kind === 'video' || picture === broken) && (
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
          {media.kind === 'video' ? <VideoIcon /> : <ImageIcon />} The {media.kind} is uploaded
        </Box>
      )}
    </>
  )
}
