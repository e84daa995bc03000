import { Box } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { numberFormat } from '@/lib/format'
import { useLeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { LeaveDialog } from '@/ui/DiscardDialog'
import { FileButton } from '@/ui/FileButton'
import { ImageIcon } from '@/ui/icons'
import { useRestoreFocus } from '@/ui/restore-focus'
import { imageTypes } from '@/uploads/profile-image'
import { useCoverDraft } from '@/uploads/useProfileImageUpload'

/**
 * Shows controls over the cover of the user's own profile to choose, preview, upload and remove an image. Asks for
 * confirmation before the page is left with an image that is not uploaded. The parent must be positioned.
 */
export function CoverEditor({ user }: { user: User }) {
  const draft = useCoverDraft('header')
  const { previewUrl, percent, isPreparing, isUploading, isRemoving } = draft
  const progress =
    percent !== null && percent < 100 && numberFormat({ style: 'percent' }).format(percent / 100)
  const mainButton = useRef<HTMLButtonElement>(null)
  const wasClicked = useRef(false)
  const isBusy = isPreparing || isUploading || isRemoving
  const guard = useLeaveGuard(previewUrl !== null)
  // Each step removes or disables the clicked button, so the focus moves to the main button of the next step.
  useRestoreFocus(isBusy ? 'busy' : previewUrl, () => (wasClicked.current ? mainButton.current : null))
  return (
    <>
      {previewUrl && (
        <CoverImage
          url={previewUrl}
          position="absolute"
          inset="0"
          role="img"
          aria-label={t`Preview of your cover photo`}
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
          wasClicked.current = true
        }}
      >
        {previewUrl ? (
          <>
            <Button boxShadow="mid" size="sm" onClick={draft.cancel}>
              {t`Cancel`}
            </Button>
            <Button
              ref={mainButton}
              boxShadow="mid"
              size="sm"
              variant="ember"
              onClick={() => void draft.send()}
              pending={isUploading}
              pendingLabel={progress ? t`Uploading ${progress}` : t`Almost done…`}
            >
              {t`Upload`}
            </Button>
          </>
        ) : (
          <>
            {user.backgroundImageUrl && (
              <Button
                boxShadow="mid"
                size="sm"
                aria-label={t`Remove cover photo`}
                onClick={draft.remove}
                pending={isRemoving}
                disabled={isPreparing}
              >
                {t`Remove`}
              </Button>
            )}
            <FileButton
              ref={mainButton}
              boxShadow="mid"
              size="sm"
              accept={imageTypes}
              onFile={(file) => void draft.choose(file)}
              pending={isPreparing}
              pendingLabel={t`Preparing…`}
              disabled={isRemoving}
            >
              <ImageIcon /> {t`Edit cover photo`}
            </FileButton>
          </>
        )}
      </Box>
      <LeaveDialog
        open={guard.isBlocked}
        title={t`Upload your new cover photo?`}
        text={t`You haven’t uploaded your new cover photo yet.`}
        stayLabel={t`Stay`}
        saveLabel={t`Upload`}
        pending={isUploading}
        onStay={guard.stay}
        onDiscard={() => {
          draft.cancel()
          guard.leave()
        }}
        onSave={() => void draft.send().then((isUploaded) => (isUploaded ? guard.leave() : guard.stay()))}
      />
    </>
  )
}
