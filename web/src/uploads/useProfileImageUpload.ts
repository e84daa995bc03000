import { ImageUpload } from '@contract/media.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { api } from '@/lib/api'
import { pauseRefetching } from '@/lib/pause-refetching'
import { updateCachedUserCard } from '@/profile/own-profile'
import { currentUserQuery } from '@/session/session'
import { toast } from '@/ui/toaster'
import { type ProfileImagePlace, profileImageToasts, showImageError } from './profile-image-toasts'
import { uploadFile } from './upload-request'

type OwnImage = 'profile' | 'background'

const paths: Record<OwnImage, string> = {
  profile: '/api/upload/profile-image',
  background: '/api/upload/background-image',
}

/**
 * Replaces one's own picture or cover, and takes it away. It is shown everywhere as soon as it is stored; whatever
 * happens is told in a toast.
 *
 * @param place where it is done, for the words of it
 */
export function useProfileImageUpload(which: OwnImage, place: ProfileImagePlace = which) {
  const client = useQueryClient()
  const words = profileImageToasts[place]
  /** Whole percent of what is sent; null while nothing is. */
  const [percent, setPercent] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)

  const upload = useMutation({
    mutationFn: (file: File) => {
      abort.current = new AbortController()
      const { signal } = abort.current
      const onProgress = (part: number) => setPercent(Math.min(100, Math.floor(part * 100)))
      setPercent(0)
      return uploadFile(paths[which], 'image', file, ImageUpload, { signal, onProgress })
    },
    onSuccess: async ({ imageUrl }) => {
      await showOwn(client, which, imageUrl)
      toast(words.stored)
    },
    onError: (error) => {
      if (!abort.current?.signal.aborted) showImageError(error, words.failed)
    },
    onSettled: () => setPercent(null),
  })

  const removal = useMutation({
    mutationFn: () => api.delete(paths[which]),
    onSuccess: async () => {
      await showOwn(client, which, null)
      toast(words.removed)
    },
    onError: (error) => showImageError(error, words.kept),
  })

  const { mutateAsync } = upload
  return {
    /** True once it is stored. */
    upload: useCallback(
      (file: File): Promise<boolean> =>
        mutateAsync(file).then(
          () => true,
          () => false,
        ),
      [mutateAsync],
    ),
    /** Stops what is being sent; nothing is told. */
    stop: useCallback(() => abort.current?.abort(), []),
    remove: () => removal.mutate(),
    percent,
    isUploading: upload.isPending,
    isRemoving: removal.isPending,
  }
}

/** Puts the picture into the own record, and everywhere else that the person stands. */
async function showOwn(client: QueryClient, which: OwnImage, address: string | null): Promise<void> {
  const { queryKey } = currentUserQuery
  const person = client.getQueryData(queryKey)
  if (!person) return
  // What was asked before may be answered with the one before.
  const resume = await pauseRefetching(client, { queryKey })
  updateCachedUserCard(client, person.id, {
    [which === 'profile' ? 'profileImageUrl' : 'backgroundImageUrl']: address,
  })
  resume()
}
