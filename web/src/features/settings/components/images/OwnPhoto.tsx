import type { OwnUser } from '@contract/user.ts'
import { lazy, Suspense, useRef } from 'react'
import { checkProfilePhoto, imageTypes } from '@/lib/ownImages/files'
import { useUploadOwnImage } from '@/lib/ownImages/useUploadOwnImage'
import { ownImageWords, tellFailure } from '@/lib/ownImages/words'
import { displayName } from '@/lib/person'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { FileButton } from '@/ui/FileButton'
import { useOwnPhoto } from '../../profile/CoverProvider'
import { useFocusAfter } from '../../useFocusAfter'
import { ImageRow } from './ImageRow'

const CropDialog = lazy(() => import('@/ui/CropDialog'))

/** One's profile photo: chosen, cropped and sent, or taken away. */
export function OwnPhoto({ user }: { user: OwnUser }) {
  const { upload, stop, remove, percent, isUploading, isRemoving } = useUploadOwnImage('profile')
  const { photo: chosen, choosePhoto: setChosen } = useOwnPhoto()
  const [change, taking] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  useFocusAfter(isRemoving, () => taking.current ?? change.current)

  const choose = async (file: File) => {
    try {
      await checkProfilePhoto(file)
      setChosen(file)
    } catch (error) {
      tellFailure(error, ownImageWords.profile.failed)
    }
  }
  const send = async (part: File) => {
    if (await upload(part)) setChosen(null)
  }

  return (
    <ImageRow
      title="Profile photo"
      hint="JPG, PNG or GIF, up to 5 MB. You choose which part of it shows."
      picture={
        <Avatar person={{ ...user, displayName: displayName(user) }} size="xl" label="Your profile photo" />
      }
    >
      <FileButton
        ref={change}
        size="sm"
        accept={imageTypes}
        onFile={(file) => void choose(file)}
        disabled={isUploading || isRemoving}
      >
        Change photo
      </FileButton>
      {user.profileImageUrl && (
        <Button
          ref={taking}
          size="sm"
          variant="outline"
          onClick={remove}
          pending={isRemoving}
          disabled={isUploading}
        >
          Remove
        </Button>
      )}
      {chosen && (
        <Suspense>
          <CropDialog
            file={chosen}
            onDone={(part) => void send(part)}
            onClose={() => {
              stop()
              setChosen(null)
            }}
            percent={percent}
          />
        </Suspense>
      )}
    </ImageRow>
  )
}
