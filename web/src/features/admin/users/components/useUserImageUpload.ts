import { ImageUpload } from '@contract/media.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError, isUnauthorized } from '@/lib/api'
import { toast } from '@/ui/toaster'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { prepareImage } from '@/uploads/prepare-image'
import { checkProfilePhoto, prepareCoverImage } from '@/uploads/profile-image'
import { uploadFile } from '@/uploads/upload-request'

type Which = 'profile' | 'background'

/** A profile picture that is made smaller: pixels, megabytes, JPEG quality. */
const profileImage = { maxSide: 800, maxMegabytes: 1, quality: 0.85 }

const prepare: Record<Which, (file: File, signal: AbortSignal) => Promise<File>> = {
  profile: (file, signal) => prepareImage(file, { target: profileImage, signal }),
  background: (file, signal) => prepareCoverImage(file, signal, () => undefined),
}

/** Uploads a picture or a cover for somebody's profile; `onDone` gets its address, which the form is to send. */
export function useUserImageUpload(which: Which, onDone: (imageUrl: string) => void) {
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const { mutate, isPending } = useMutation({
    mutationFn: async (chosen: File) => {
      abort.current = new AbortController()
      const { signal } = abort.current
      await checkProfilePhoto(chosen)
      const file = await prepare[which](chosen, signal)
      const path = `/api/admin/upload/${which}-image`
      return uploadFile(path, 'image', file, ImageUpload.pick({ imageUrl: true }), { signal })
    },
    onSuccess: ({ imageUrl }) => onDone(imageUrl),
    onError: (error) => {
      if (isUnauthorized(error) || abort.current?.signal.aborted) return
      if (error instanceof FileRejectedError) {
        toast({ title: error.title, description: error.message, tone: 'destructive' })
        return
      }
      const said = error instanceof ApiError ? error.serverMessage : ''
      toast({ title: 'Upload Failed', description: said || 'Upload failed', tone: 'destructive' })
    },
  })
  return { upload: (file: File) => mutate(file), isUploading: isPending }
}
