import { Box } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { useEffect, useRef } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton } from '@/ui/FileButton'
import { ImageIcon } from '@/ui/icons'
import { LeaveDialog } from '@/ui/LeaveDialog'
import { imageTypes } from '@/uploads/profile-image'
import { useCoverDraft } from '@/uploads/useCoverDraft'

/**
 * Over the cover of one's own profile: the way to another one, which is looked at in its place before it is sent, and
 * asked about where the page is left before that. Fills the frame that it stands in, which must be positioned.
 */
export function CoverEditor({ user }: { user: User }) {
  const draft = useCoverDraft('header')
  const { previewUrl, percent, isPreparing, isUploading, isRemoving } = draft
  const next = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)
  const waits = isPreparing || isUploading || isRemoving
  const guard = useLeaveGuard(previewUrl !== null)
  // Each step takes away or disables the button that led to it; who pressed it stays here, at what comes next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them may have taken the focused button away
  useEffect(() => {
    if (pressed.current && !waits && document.activeElement === document.body) next.current?.focus()
  }, [waits, previewUrl])
  return (
    <>
      {previewUrl && (
        <CoverImage
          url={previewUrl}
          position="absolute"
          inset="0"
          role="img"
          aria-label="Preview of your cover photo"
        />
      )}
      <Box
        position="absolute"
        top={{ base: '2', md: '3' }}
        insetEnd={{ base: '2', md: '3' }}
        display="flex"
        flexWrap="wrap"
        justifyContent="flex-end"
        gap="2"
        onClick={() => {
          pressed.current = true
        }}
      >
        {previewUrl ? (
          <>
            <Button boxShadow="mid" size="sm" onClick={draft.cancel}>
              Cancel
            </Button>
            <Button
              ref={next}
              boxShadow="mid"
              size="sm"
              variant="ember"
              onClick={() => void draft.send()}
              pending={isUploading}
              pendingLabel={percent !== null && percent < 100 ? `Uploading ${percent}%` : 'Almost done…'}
            >
              Upload
            </Button>
          </>
        ) : (
          <>
            {user.backgroundImageUrl && (
              <Button
                boxShadow="mid"
                size="sm"
                aria-label="Remove cover photo"
                onClick={draft.remove}
                pending={isRemoving}
                disabled={isPreparing}
              >
                Remove
              </Button>
            )}
            <FileButton
              ref={next}
              boxShadow="mid"
              size="sm"
              accept={imageTypes}
              onFile={(file) => void draft.choose(file)}
              pending={isPreparing}
              pendingLabel="Preparing…"
              disabled={isRemoving}
            >
              <ImageIcon /> Edit cover photo
            </FileButton>
          </>
        )}
      </Box>
      <LeaveDialog
        open={guard.asking}
        title="Upload your new cover?"
        text="You chose a cover photo and have not uploaded it yet."
        stayLabel="Stay"
        saveLabel="Upload"
        pending={isUploading}
        onStay={guard.stay}
        onDiscard={() => {
          draft.cancel()
          guard.leave()
        }}
        onSave={() => void draft.send().then((stored) => (stored ? guard.leave() : guard.stay()))}
      />
    </>
  )
}
