import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { formatPercent, numberFormat } from '@/lib/format'
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
  if (state === 'waiting') return t`Connection lost. Reconnecting…`
  if (state === 'failed') return problem ? t`Upload failed. ${problem}` : t`Upload failed`
  if (state === 'done') return t`Added to your gallery`
  if (state === 'preparing') return kind === 'image' ? t`Preparing photo…` : t`Preparing video…`
  // All bytes have been sent, but the response has not arrived.
  if (percent >= 100) return t`Almost done…`
  const progress = formatPercent(percent)
  return t`Uploading ${progress}`
}

/** Shows a file in the upload dialog: its preview, title and description, and progress. */
export function GalleryUploadFields({
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
  const fileName = file.name
  const isBusy = isUploading(upload)
  const isEditable = state === 'chosen' || state === 'failed'
  return (
    <Box role="group" aria-label={fileName} borderTopWidth="1px" paddingTop="4">
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
            {fileName}
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
            {['waiting', 'failed', 'done'].includes(state) && `${fileName}: ${uploadStateText(upload)}`}
          </VisuallyHidden>
        </Box>
        {state === 'failed' && (
          <Button size="sm" onClick={onRetry}>
            {t`Try again`}
          </Button>
        )}
        {state !== 'done' && (
          <IconButton
            label={isBusy ? t`Cancel upload of ${fileName}` : t`Remove ${fileName}`}
            tooltip={false}
            onClick={onRemove}
          >
            <CloseIcon />
          </IconButton>
        )}
      </Box>
      {isBusy && (
        <UploadProgressBar
          label={t`Upload of ${fileName}`}
          percent={upload.percent}
          marginTop="3"
          borderRadius="full"
          overflow="hidden"
        />
      )}
      {isEditable && (
        <Box display="flex" flexDirection="column" gap="3" marginTop="3">
          <TextField
            label={t`Title (optional)`}
            value={title}
            maxLength={limits.gallery.titleMax}
            onChange={(event) => onChange({ title: event.target.value })}
            dir="auto"
          />
          <TextareaField
            label={t`Description (optional)`}
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

/** Formats 12345 as '12 kB' and 1500000 as '1.4 MB'. */
function formatFileSize(bytes: number): string {
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) {
    const format = numberFormat({ style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })
    return format.format(Math.max(1, kilobytes))
  }
  return numberFormat({ style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(kilobytes / 1024)
}
