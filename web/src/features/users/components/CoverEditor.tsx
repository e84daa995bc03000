import { Box } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { formatPercent } from '@/lib/format'
import { useLeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { LeaveDialog } from '@/ui/DiscardDialog'
import { imageTypes, useFilePicker } from '@/ui/FileButton'
import { CameraIcon, ImageIcon, TrashIcon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/Menu'
import { useRestoreFocus } from '@/ui/restore-focus'
import { useCoverDraft } from '@/uploads/useProfileImageUpload'

/**
 * Shows controls on top of the user's own cover to choose, preview, upload and remove an image. Asks for confirmation
 * before the user leaves the page without uploading the chosen image. The parent must be positioned.
 */
export function CoverEditor({ user }: { user: User }) {
  const draft = useCoverDraft('header')
  const { previewUrl, percent, isPreparing, isUploading, isRemoving } = draft
  const progress = percent !== null && percent < 100 && formatPercent(percent)
  const mainButton = useRef<HTMLButtonElement>(null)
  const wasClicked = useRef(false)
  const isBusy = isPreparing || isUploading || isRemoving
  const guard = useLeaveGuard(previewUrl !== null)
  // Each step removes or disables the clicked button, so the focus moves to the main button of the next step.
  useRestoreFocus(isBusy ? 'busy' : previewUrl, () => (wasClicked.current ? mainButton.current : null))
  const { input, openPicker } = useFilePicker({
    accept: imageTypes,
    onFile: (file) => void draft.choose(file),
  })
  // Opens a menu, or the file picker if there is no cover yet.
  const editButton = (
    <Button
      ref={mainButton}
      size="sm"
      bg="glass"
      minWidth="9"
      paddingInline={{ base: '0', md: '4' }}
      css={{ '@media (pointer: coarse)': { minWidth: 'target' } }}
      aria-label={isPreparing ? t`Preparing…` : t`Edit cover photo`}
      pending={isPreparing || isRemoving}
      onClick={user.backgroundImageUrl ? undefined : openPicker}
    >
      {!isPreparing && !isRemoving && (
        <Box as="span" fontSize="lg">
          <CameraIcon />
        </Box>
      )}
      <Box as="span" hideBelow="md">
        {isPreparing ? t`Preparing…` : t`Edit cover photo`}
      </Box>
    </Button>
  )
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
        top="3"
        insetEnd={{ base: '4', md: '3' }}
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
            {input}
            {user.backgroundImageUrl ? (
              <Menu label={t`Edit cover photo`} trigger={editButton}>
                <MenuItem value="edit" onSelect={openPicker}>
                  <ImageIcon /> {t`Edit cover photo`}
                </MenuItem>
                <MenuItem value="remove" danger onSelect={draft.remove}>
                  <TrashIcon /> {t`Remove cover photo`}
                </MenuItem>
              </Menu>
            ) : (
              editButton
            )}
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
