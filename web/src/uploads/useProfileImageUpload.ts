import { ImageUpload } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '@/lib/api'
import { ApiError, errorMessage } from '@/lib/errors'
import { pauseRefetching } from '@/lib/query-cache'
import { updateCachedUserCard } from '@/profile/own-profile'
import { currentUserQuery } from '@/session/session'
import { toast } from '@/ui/toaster'
import {
  type ProfileImagePlace,
  prepareCoverImage,
  profileImageToasts,
  showImageError,
} from './profile-image'
import { uploadFile } from './upload-request'

type ProfileImageKind = 'profile' | 'background'

const paths: Record<ProfileImageKind, string> = {
  profile: '/api/upload/profile-image',
  background: '/api/upload/background-image',
}

/**
 * Replaces and removes the viewer's own profile photo or cover. A stored image appears everywhere immediately. Toasts
 * report the outcome.
 *
 * @param place selects the wording of the toasts
 */
export function useProfileImageUpload(kind: ProfileImageKind, place: ProfileImagePlace = kind) {
  const client = useQueryClient()
  const toasts = profileImageToasts(place)
  const [percent, setPercent] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)

  const upload = useMutation({
    mutationFn: (file: File) => {
      abort.current = new AbortController()
      const { signal } = abort.current
      setPercent(0)
      return uploadFile(paths[kind], 'image', file, ImageUpload, { signal, onProgress: setPercent })
    },
    onSuccess: async ({ imageUrl }) => {
      await updateOwnImage(client, kind, imageUrl)
      toast(toasts.uploaded)
    },
    onSettled: () => setPercent(null),
    meta: {
      errorTitle: toasts.uploadFailed.title,
      errorMessage: (error) =>
        abort.current?.signal.aborted ? null : imageErrorText(error, toasts.uploadFailed.description),
    },
  })

  const removal = useMutation({
    mutationFn: () => api.delete(paths[kind]),
    onSuccess: async () => {
      await updateOwnImage(client, kind, null)
      toast(toasts.removed)
    },
    meta: {
      errorTitle: toasts.removeFailed.title,
      errorMessage: (error) => imageErrorText(error, toasts.removeFailed.description),
    },
  })

  const { mutateAsync } = upload
  return {
    /** Resolves with whether the image was stored. Never rejects. */
    upload: useCallback(
      (file: File): Promise<boolean> =>
        mutateAsync(file).then(
          () => true,
          () => false,
        ),
      [mutateAsync],
    ),
    /** Aborts the current upload without a toast. */
    stop: useCallback(() => abort.current?.abort(), []),
    remove: () => removal.mutate(),
    /** The upload's progress as a whole percentage; null while nothing is being uploaded. */
    percent,
    isUploading: upload.isPending,
    isRemoving: removal.isPending,
  }
}

/** Returns why the server rejected an image. Server errors get the fallback, because their messages do not help. */
function imageErrorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.status < 500 ? errorMessage(error, fallback) : fallback
}

/** Updates the image in the cached current user, and in every other cached card of the user. */
async function updateOwnImage(
  client: QueryClient,
  kind: ProfileImageKind,
  imageUrl: string | null,
): Promise<void> {
  const { queryKey } = currentUserQuery
  const user = client.getQueryData(queryKey)
  if (!user) return
  // A request that is already in progress could still return the old image.
  const resume = await pauseRefetching(client, { queryKey })
  updateCachedUserCard(client, user.id, {
    [kind === 'profile' ? 'profileImageUrl' : 'backgroundImageUrl']: imageUrl,
  })
  resume()
}

type CoverDraft = { file: File; previewUrl: string }

/**
 * Handles a new cover from the choice of a file to its upload: checks the file, compresses it if it is large, previews
 * it, and uploads it on `send`. A previous choice remains until a valid file replaces it.
 *
 * @param place selects the wording of the toasts
 */
export function useCoverDraft(place: 'background' | 'header') {
  const [draft, setDraft] = useState<CoverDraft | null>(null)
  const [isPreparing, setPreparing] = useState(false)
  const preparation = useRef<AbortController>(undefined)
  const { upload, stop, ...rest } = useProfileImageUpload('background', place)

  const clear = useCallback(() => {
    preparation.current?.abort()
    setPreparing(false)
    setDraft(null)
  }, [])
  useEffect(() => () => preparation.current?.abort(), [])
  useEffect(() => (draft ? () => URL.revokeObjectURL(draft.previewUrl) : undefined), [draft])

  const choose = async (chosen: File) => {
    preparation.current?.abort()
    preparation.current = new AbortController()
    const { signal } = preparation.current
    setPreparing(true)
    try {
      const file = await prepareCoverImage(chosen, signal, () =>
        toast({
          title: t`Optimizing image`,
          description: t`Compressing large image for better performance...`,
        }),
      )
      if (!signal.aborted) setDraft({ file, previewUrl: URL.createObjectURL(file) })
    } catch (error) {
      if (!signal.aborted) showImageError(error, profileImageToasts(place).uploadFailed)
    } finally {
      if (!signal.aborted) setPreparing(false)
    }
  }

  return {
    ...rest,
    previewUrl: draft?.previewUrl ?? null,
    isPreparing,
    choose,
    /** Uploads the draft. Resolves with whether it was stored. If so, the draft is cleared. */
    send: async (): Promise<boolean> => {
      if (!draft || !(await upload(draft.file))) return false
      clear()
      return true
    },
    /** Discards the draft and aborts its upload. */
    cancel: () => {
      stop()
      clear()
    },
  }
}
