import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { Button } from '@/ui/Button'
import { TextareaField, TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CheckIcon, CloseIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { UploadProgressBar } from '@/uploads/components/UploadProgressBar'
import { type GalleryUpload, isUploading } from '../model'

const fill = { width: '100%', height: '100%', objectFit: 'cover' } as const
const Image = chakra('img', { base: fill })
const Video = chakra('video', { base: fill })

function uploadStateText({ state, percent, problem, kind }: GalleryUpload): string {
  if (state === 'waiting') return 'Connection lost. Trying again…'
  if (state === 'failed') return `Upload failed. ${problem ?? ''}`
  if (state === 'done') return 'Added to your gallery'
  if (state === 'preparing') return kind === 'image' ? 'Preparing the picture…' : 'Preparing the video…'
  // All bytes are sent, but the response has not arrived.
  return percent < 100 ? `Uploading ${percent}%` : 'Almost done…'
}

/** Shows a file in the upload dialog: its preview, title and description, and progress. */
export function GalleryUploadRow({
  upload,
  onChange,
  onRemove,
  onRetry,
}: {
  upload: GalleryUpload
  onChange: (fields: { title?: string; description?: string }) => void
  onRemove: () => void
  onRetry: () => void
}) {
  const { file, kind, state, previewUrl, title, description } = upload
  const isBusy = isUploading(upload)
  const isEditable = state === 'chosen' || state === 'failed'
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
            <Image src={previewUrl} alt="" />
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
            {state === 'done' && <CheckIcon />}{' '}
            {state === 'chosen' ? formatFileSize(file.size) : uploadStateText(upload)}
          </Box>
          <VisuallyHidden role="status">
            {['waiting', 'failed', 'done'].includes(state) && `${file.name}: ${uploadStateText(upload)}`}
          </VisuallyHidden>
        </Box>
        {state === 'failed' && (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
        {state !== 'done' && (
          <IconButton
            label={isBusy ? `Cancel ${file.name}` : `Remove ${file.name}`}
            tooltip={false}
            onClick={onRemove}
          >
            <CloseIcon />
          </IconButton>
        )}
      </Box>
      {isBusy && (
        <UploadProgressBar
          label={`Upload of ${file.name}`}
          percent={upload.percent}
          marginTop="3"
          borderRadius="full"
          overflow="hidden"
        />
      )}
      {isEditable && (
        <Box display="flex" flexDirection="column" gap="3" marginTop="3">
          <TextField
            label="Title (optional)"
            value={title}
            maxLength={limits.gallery.titleMax}
            onChange={(event) => onChange({ title: event.target.value })}
            dir="auto"
          />
          <TextareaField
            label="Description (optional)"
            value={description}
            rows={2}
            maxLength={limits.gallery.descriptionMax}
            onChange={(event) => onChange({ description: event.target.value })}
            dir="auto"
          />
        </Box>
      )}
    </Box>
  )
}

const formatFileSize = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} kB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
