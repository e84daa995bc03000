import { ImageUpload } from '@contract/media.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { toast } from '@/ui/toaster'
import { api } from '../api'
import { holdReading } from '../optimistic'
import { showPerson } from '../ownCard'
import { currentUserQuery } from '../session'
import { ownImageWords, type Place, tellFailure } from './words'

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
export function useUploadOwnImage(which: OwnImage, place: Place = which) {
  const client = useQueryClient()
  const words = ownImageWords[place]
  /** Whole percent of what is sent; null while nothing is. */
  const [percent, setPercent] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)

  const upload = useMutation({
    mutationFn: (file: File) => {
      abort.current = new AbortController()
      const { signal } = abort.current
      const onProgress = (part: number) => setPercent(Math.min(100, Math.floor(part * 100)))
      setPercent(0)
      return api.upload(paths[which], 'image', file, ImageUpload, { signal, onProgress })
    },
    onSuccess: async ({ imageUrl }) => {
      await showOwn(client, which, imageUrl)
      toast(words.stored)
    },
    onError: (error) => {
      if (!abort.current?.signal.aborted) tellFailure(error, words.failed)
    },
    onSettled: () => setPercent(null),
  })

  const removal = useMutation({
    mutationFn: () => api.delete(paths[which]),
    onSuccess: async () => {
      await showOwn(client, which, null)
      toast(words.removed)
    },
    onError: (error) => tellFailure(error, words.kept),
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
  const resume = await holdReading(client, { queryKey })
  showPerson(client, person.id, {
    [which === 'profile' ? 'profileImageUrl' : 'backgroundImageUrl']: address,
  })
  resume()
}
