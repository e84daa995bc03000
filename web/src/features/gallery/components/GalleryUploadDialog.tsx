import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { guardUnload } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { ConfirmDialog, Dialog } from '@/ui/Dialog'
import { imageTypes, useFilePicker } from '@/ui/FileButton'
import { DropOverlay, useFileDrop } from '@/ui/FileDrop'
import { ImageIcon } from '@/ui/icons'
import { toast } from '@/ui/toaster'
import { isUploading, type UploadOutcome } from '../model'
import { useGalleryUploads } from '../useGalleryUploads'
import { GalleryUploadFields } from './GalleryUploadFields'

const FilePickerButton = chakra('button', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: '1',
    width: '100%',
    paddingInline: '4',
    paddingBlock: '6',
    borderWidth: '1px',
    borderStyle: 'dashed',
    borderColor: 'outline',
    borderRadius: 'md',
    cursor: 'pointer',
    textAlign: 'center',
    _hover: { bg: 'hover', borderColor: 'muted' },
  },
})

/**
 * Uploads files to the viewer's gallery, each with its own title, progress and error.
 *
 * @param files the files that were dropped on the gallery; empty if the dialog was opened with the button
 */
export function GalleryUploadDialog({
  userId,
  files: droppedFiles,
  onClose,
}: {
  userId: string
  files: readonly File[]
  onClose: () => void
}) {
  const { uploads, rejectionReasons, addFiles, remove, update, sendAll, retry } = useGalleryUploads(userId)
  const { dragging, handlers } = useFileDrop((files) => void addFiles(files))
  const [isConfirming, setConfirming] = useState(false)
  const { input, openPicker } = useFilePicker({
    accept: `${imageTypes},video/mp4,video/webm,video/quicktime`,
    multiple: true,
    onFile: (_, files) => void addFiles(files),
  })
  // The effect below runs after every render but must add the files only once.
  const addedFiles = useRef<readonly File[]>([])
  useEffect(() => {
    if (droppedFiles.length === 0 || addedFiles.current === droppedFiles) return
    addedFiles.current = droppedFiles
    void addFiles(droppedFiles)
  })

  const pendingCount = uploads.filter(({ state }) => state === 'chosen').length
  const unfinishedCount = uploads.filter(({ state }) => state !== 'done').length
  const { maxFiles } = limits.gallery
  const isBusy = uploads.some(isUploading)
  useEffect(() => (isBusy ? guardUnload() : undefined), [isBusy])

  const handleOutcome = (outcome: UploadOutcome) => {
    if (outcome.toast) toast(outcome.toast)
    if (outcome.isFinished) onClose()
  }
  const close = () => (unfinishedCount > 0 ? setConfirming(true) : onClose())
  return (
    <Dialog
      open
      onClose={close}
      title={t`Add media`}
      description={t`Photos and videos, up to ${maxFiles} files at a time and 10MB each.`}
      footer={
        uploads.length > 0 && (
          <>
            <Button variant="outline" onClick={close}>
              {unfinishedCount === 0 ? t`Done` : t`Cancel`}
            </Button>
            {(pendingCount > 0 || isBusy) && (
              <Button
                variant="ember"
                pending={isBusy && pendingCount === 0}
                pendingLabel={t`Uploading…`}
                onClick={() => void sendAll().then(handleOutcome)}
              >
                {t`${plural(pendingCount, { one: 'Upload # file', other: 'Upload # files' })}`}
              </Button>
            )}
          </>
        )
      }
    >
      <Box position="relative" display="flex" flexDirection="column" gap="4" {...handlers}>
        {uploads.length < maxFiles && (
          <FilePickerButton type="button" onClick={openPicker}>
            <Box as="span" fontSize="2xl" color="ember.text">
              <ImageIcon />
            </Box>
            <Box as="span" textStyle="label">
              {t`Choose files`}
            </Box>
            <Box
              as="span"
              textStyle="small"
              color="muted"
              // Touch screens have no file drag and drop.
              css={{ '@media (pointer: coarse)': { display: 'none' } }}
            >
              {t`or drag them here`}
            </Box>
          </FilePickerButton>
        )}
        {input}
        <div role="alert">
          {rejectionReasons.map((reason) => (
            <Box key={reason} textStyle="small" color="danger.text" overflowWrap="anywhere">
              {reason}
            </Box>
          ))}
        </div>
        {uploads.map((upload) => (
          <GalleryUploadFields
            key={upload.id}
            upload={upload}
            onChange={(fields) => update(upload.id, fields)}
            onRemove={() => remove(upload.id)}
            onRetry={() => void retry(upload).then(handleOutcome)}
          />
        ))}
        {dragging && <DropOverlay>{t`Drop to add`}</DropOverlay>}
      </Box>
      <ConfirmDialog
        open={isConfirming && unfinishedCount > 0}
        onClose={() => setConfirming(false)}
        onConfirm={onClose}
        title={
          isBusy
            ? t`Stop uploading?`
            : t`${plural(unfinishedCount, { one: 'Discard this file?', other: 'Discard these files?' })}`
        }
        text={
          isBusy
            ? t`Files that haven't finished uploading won't be added to your gallery.`
            : t`${plural(unfinishedCount, {
                one: "This file isn't in your gallery yet.",
                other: "These files aren't in your gallery yet.",
              })}`
        }
        confirmLabel={isBusy ? t`Stop uploading` : t`Discard`}
      />
    </Dialog>
  )
}
