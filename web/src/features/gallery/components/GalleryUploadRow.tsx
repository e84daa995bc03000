import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { Button } from '@/ui/Button'
import { TextareaField, TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CheckIcon, CloseIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { isUploading } from '../upload-outcome'
import type { GalleryUpload } from '../useGalleryUploads'

const fill = { width: '100%', height: '100%', objectFit: 'cover' } as const
const Picture = chakra('img', { base: fill })
const Video = chakra('video', { base: fill })

/** How far a file is, in words. */
function stateOf({ state, percent, problem, kind }: GalleryUpload): string {
  if (state === 'waiting') return 'Connection lost. Trying again…'
  if (state === 'failed') return `Upload failed. ${problem ?? ''}`
  if (state === 'done') return 'Added to your gallery'
  if (state === 'preparing') return kind === 'image' ? 'Preparing the picture…' : 'Preparing the video…'
  // All bytes are sent, and the answer is on its way.
  return percent < 100 ? `Uploading ${percent}%` : 'Almost done…'
}

/** One file that is being added: what it shows, its words, and how far it is. */
export function GalleryUploadRow({
  upload,
  onWords,
  onRemove,
  onRetry,
}: {
  upload: GalleryUpload
  onWords: (words: { title?: string; description?: string }) => void
  onRemove: () => void
  onRetry: () => void
}) {
  const { file, kind, state, previewUrl, title, description } = upload
  const busy = isUploading(upload)
  const changeable = state === 'chosen' || state === 'failed'
  return (
    <Box role="group" aria-label={file.name} borderTopWidth="1px" paddingTop="4">
      <Box display="flex" gap="3" alignItems="center">
        <Box
          width="16"
          height="16"
          flexShrink={0}
          overflow="hidden"
          borderRadius="sm"
          bg="sunken"
          aria-hidden
        >
          {kind === 'image' ? (
            <Picture src={previewUrl} alt="" />
          ) : (
            <Video src={`${previewUrl}#t=0.1`} muted playsInline preload="metadata" tabIndex={-1} />
          )}
        </Box>
        <Box flex="1" minWidth="0">
          <Box textStyle="label" truncate>
            {file.name}
          </Box>
          <Box
            textStyle="small"
            color={state === 'failed' ? 'danger.text' : 'muted'}
            overflowWrap="anywhere"
            fontVariantNumeric="tabular-nums"
            display="flex"
            alignItems="center"
            gap="1"
          >
            {state === 'done' && <CheckIcon />} {state === 'chosen' ? size(file.size) : stateOf(upload)}
          </Box>
          <VisuallyHidden role="status">
            {['waiting', 'failed', 'done'].includes(state) && `${file.name}: ${stateOf(upload)}`}
          </VisuallyHidden>
        </Box>
        {state === 'failed' && (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
        {state !== 'done' && (
          <IconButton
            label={busy ? `Cancel ${file.name}` : `Remove ${file.name}`}
            tooltip={false}
            onClick={onRemove}
          >
            <CloseIcon />
          </IconButton>
        )}
      </Box>
      {busy && <Progress upload={upload} />}
      {changeable && (
        <Box display="flex" flexDirection="column" gap="3" marginTop="3">
          <TextField
            label="Title (optional)"
            value={title}
            maxLength={limits.gallery.titleMax}
            onChange={(event) => onWords({ title: event.target.value })}
            dir="auto"
          />
          <TextareaField
            label="Description (optional)"
            value={description}
            rows={2}
            maxLength={limits.gallery.descriptionMax}
            onChange={(event) => onWords({ description: event.target.value })}
            dir="auto"
          />
        </Box>
      )}
    </Box>
  )
}

function Progress({ upload: { file, percent } }: { upload: GalleryUpload }) {
  return (
    <Box
      role="progressbar"
      aria-label={`Upload of ${file.name}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      height="1"
      marginTop="3"
      bg="sunken"
      borderRadius="full"
      overflow="hidden"
    >
      <Box
        height="100%"
        bg="ember.solid"
        transition={percent < 100 ? 'width {durations.fast} linear' : 'none'}
        style={{ width: `${percent}%` }}
      />
    </Box>
  )
}

const size = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} kB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
