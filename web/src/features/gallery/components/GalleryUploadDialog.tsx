import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { ConfirmDialog, Dialog } from '@/ui/Dialog'
import { DropOverlay } from '@/ui/FileDrop'
import { ImageIcon } from '@/ui/icons'
import { toast } from '@/ui/toaster'
import { useFileDrop } from '@/ui/useFileDrop'
import { isUploading, type UploadOutcome } from '../upload-outcome'
import { useGalleryUploads } from '../useGalleryUploads'
import { GalleryUploadRow } from './GalleryUploadRow'

const Chooser = chakra('button', {
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

const files = (count: number) => (count === 1 ? '1 file' : `${count} files`)

/**
 * Adds up to four files to one's own gallery, each with its words, its progress and its own failure.
 *
 * @param files were dropped before it was open
 */
export function GalleryUploadDialog({
  userId,
  files: dropped,
  onClose,
}: {
  userId: string
  files: readonly File[]
  onClose: () => void
}) {
  const { uploads, refused, choose, remove, update, sendAll, retry } = useGalleryUploads(userId)
  const { dragging, handlers } = useFileDrop((more) => void choose(more))
  const [asking, setAsking] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const taken = useRef<readonly File[]>([])
  useEffect(() => {
    if (dropped.length === 0 || taken.current === dropped) return
    taken.current = dropped
    void choose(dropped)
  })

  const waiting = uploads.filter(({ state }) => state === 'chosen')
  const left = uploads.filter(({ state }) => state !== 'done')
  const busy = uploads.some(isUploading)
  useEffect(() => {
    if (!busy) return
    // The browser asks before the page is left.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])

  const end = ({ toast: said, finished }: UploadOutcome) => {
    if (said) toast(said)
    if (finished) onClose()
  }
  const close = () => (left.length > 0 ? setAsking(true) : onClose())
  return (
    <Dialog
      open
      onClose={close}
      title="Add media"
      description={`Pictures and videos, up to ${limits.gallery.maxFiles} files at a time and 10MB each.`}
      footer={
        uploads.length > 0 && (
          <>
            <Button variant="outline" onClick={close}>
              {left.length === 0 ? 'Done' : 'Cancel'}
            </Button>
            {(waiting.length > 0 || busy) && (
              <Button
                variant="ember"
                pending={busy && waiting.length === 0}
                pendingLabel="Uploading…"
                onClick={() => void sendAll().then(end)}
              >
                {`Upload ${files(waiting.length)}`}
              </Button>
            )}
          </>
        )
      }
    >
      <Box position="relative" display="flex" flexDirection="column" gap="4" {...handlers}>
        {uploads.length < limits.gallery.maxFiles && (
          <Chooser type="button" onClick={() => input.current?.click()}>
            <Box as="span" fontSize="2xl" color="ember.text">
              <ImageIcon />
            </Box>
            <Box as="span" textStyle="label">
              Choose files
            </Box>
            <Box
              as="span"
              textStyle="small"
              color="muted"
              // Nothing is dragged with a finger.
              css={{ '@media (pointer: coarse)': { display: 'none' } }}
            >
              or drag them here
            </Box>
          </Chooser>
        )}
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept="image/jpeg,image/png,image/gif,video/mp4,video/webm,video/quicktime"
          onChange={({ target }) => {
            const chosen = [...(target.files ?? [])]
            // The same file can be chosen again.
            target.value = ''
            void choose(chosen)
          }}
        />
        <div role="alert">
          {refused.map((reason) => (
            <Box key={reason} textStyle="small" color="danger.text" overflowWrap="anywhere">
              {reason}
            </Box>
          ))}
        </div>
        {uploads.map((upload) => (
          <GalleryUploadRow
            key={upload.id}
            upload={upload}
            onWords={(words) => update(upload.id, words)}
            onRemove={() => remove(upload.id)}
            onRetry={() => void retry(upload).then(end)}
          />
        ))}
        {dragging && <DropOverlay>Drop to add</DropOverlay>}
      </Box>
      <ConfirmDialog
        open={asking && left.length > 0}
        onClose={() => setAsking(false)}
        onConfirm={onClose}
        title={busy ? 'Stop uploading?' : 'Discard these files?'}
        text={
          busy
            ? 'What has not arrived yet is not added to your gallery.'
            : `${left.length === 1 ? 'This file is' : 'These files are'} not in your gallery yet.`
        }
        confirmLabel={busy ? 'Stop uploading' : 'Discard'}
      />
    </Dialog>
  )
}
