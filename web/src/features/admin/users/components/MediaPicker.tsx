import { Box, chakra } from '@chakra-ui/react'
import { videoTypes } from '@contract/media.ts'
import { useRef } from 'react'
import { FileButton } from '@/ui/FileButton'
import { IconButton } from '@/ui/IconButton'
import { CloseIcon, ImageIcon, VideoIcon } from '@/ui/icons'
import { toast } from '@/ui/toaster'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { imageTypes } from '@/uploads/profile-image'
import { type ChosenFile, checkFile } from '../chosen-file'

const fit = { base: { width: '100%', maxHeight: '16rem', objectFit: 'contain', bg: 'sunken' } } as const
const Picture = chakra('img', fit)
const Video = chakra('video', fit)

/** One picture or one video of a post: choosing the one takes the other away. */
export function MediaPicker({
  chosen,
  onChoose,
  disabled,
}: {
  chosen: ChosenFile | undefined
  onChoose: (chosen: ChosenFile | undefined) => void
  disabled: boolean
}) {
  const place = useRef<HTMLDivElement>(null)
  const turn = useRef(0)
  const choose = async (file: File, kind: ChosenFile['kind']) => {
    turn.current += 1
    const own = turn.current
    try {
      const next = await checkFile(file, kind)
      // Another was chosen meanwhile.
      if (own === turn.current) onChoose(next)
      else URL.revokeObjectURL(next.previewUrl)
    } catch (error) {
      const said =
        error instanceof FileRejectedError
          ? { title: error.title, description: error.message }
          : { title: 'Error', description: 'The file could not be read. Please choose another one.' }
      toast({ ...said, tone: 'destructive' })
    }
  }
  return (
    <Box ref={place} tabIndex={-1} outline="none" display="grid" gap="3">
      {chosen && (
        <Box
          role="group"
          aria-label={chosen.kind === 'image' ? 'Image' : 'Video'}
          position="relative"
          borderRadius="md"
          borderWidth="1px"
          overflow="hidden"
        >
          {chosen.kind === 'image' ? (
            <Picture src={chosen.previewUrl} alt="What was chosen" />
          ) : (
            <Video src={chosen.previewUrl} controls muted playsInline aria-label="What was chosen" />
          )}
          <Box position="absolute" top="2" insetEnd="2">
            <IconButton
              label={`Remove ${chosen.kind}`}
              variant="quiet"
              boxShadow="mid"
              disabled={disabled}
              onClick={() => {
                // The button goes with the press.
                place.current?.focus()
                turn.current += 1
                onChoose(undefined)
              }}
            >
              <CloseIcon />
            </IconButton>
          </Box>
        </Box>
      )}
      <Box display="flex" flexWrap="wrap" gap="2">
        <FileButton
          accept={imageTypes}
          onFile={(file) => void choose(file, 'image')}
          variant="outline"
          size="sm"
          disabled={disabled}
        >
          <ImageIcon />
          {chosen?.kind === 'image' ? 'Another image' : 'Image'}
        </FileButton>
        <FileButton
          accept={videoTypes.join(',')}
          onFile={(file) => void choose(file, 'video')}
          variant="outline"
          size="sm"
          disabled={disabled}
        >
          <VideoIcon />
          {chosen?.kind === 'video' ? 'Another video' : 'Video'}
        </FileButton>
      </Box>
    </Box>
  )
}
