import { lazy, Suspense } from 'react'
import { checkProfilePhoto, profileImageToasts, showImageError } from '../profile-image'
import { useProfileImageUpload } from '../useProfileImageUpload'

const CropDialog = lazy(() => import('./CropDialog'))

/**
 * Lets the user choose, crop and upload their profile photo, and remove the current one.
 *
 * @param photo the chosen photo, which has not been uploaded yet
 */
export function usePhotoCrop(photo: File | null, setPhoto: (photo: File | null) => void) {
  const { upload, stop, remove, percent, isUploading, isRemoving } = useProfileImageUpload('profile')
  const send = async (croppedPhoto: File) => {
    if (await upload(croppedPhoto)) setPhoto(null)
  }
  return {
    choose: async (file: File) => {
      try {
        await checkProfilePhoto(file)
        setPhoto(file)
      } catch (error) {
        showImageError(error, profileImageToasts('profile').uploadFailed)
      }
    },
    remove,
    isUploading,
    isRemoving,
    /** The dialog that crops the chosen photo. The caller must render it. */
    dialog: photo && (
      <Suspense>
        <CropDialog
          file={photo}
          onDone={(croppedPhoto) => void send(croppedPhoto)}
          onClose={() => {
            stop()
            setPhoto(null)
          }}
          percent={percent}
        />
      </Suspense>
    ),
  }
}
