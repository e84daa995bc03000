import type { GalleryItem } from '@contract/gallery.ts'
import { limits } from '@contract/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, isUnauthorized } from '@/lib/api'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { stripLocation } from '@/uploads/mp4'
import { prepareImage } from '@/uploads/prepare-image'
import { type AcceptedFile, acceptFiles } from './accept-files'
import { addGalleryItem } from './add-item'
import { addItemToCache, galleryKeys } from './api'
import { type UploadOutcome, uploadOutcome } from './upload-outcome'

/** Pictures that are made smaller first: pixels, megabytes, JPEG quality. The same as for posts. */
const target = { maxSide: 1080, maxMegabytes: 2, quality: 0.85 }

/** A file on its way. `waiting` has lost the connection, `done` is in the gallery. */
export interface GalleryUpload extends AcceptedFile {
  title: string
  description: string
  state: 'chosen' | 'preparing' | 'uploading' | 'waiting' | 'failed' | 'done'
  /** How much of it is sent, in whole percent. */
  percent: number
  /** Why it failed. */
  problem: string | null
}

/** The files that are being added to one's gallery, as long as what calls this is shown. */
export function useGalleryUploads(userId: string) {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<readonly GalleryUpload[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])
  const aborts = useRef(new Map<string, AbortController>())
  const latest = useRef(uploads)
  const change = (to: (before: readonly GalleryUpload[]) => readonly GalleryUpload[]) => {
    latest.current = to(latest.current)
    setUploads(latest.current)
  }
  const update = (id: string, fields: Partial<GalleryUpload>) =>
    change((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)))

  const stop = (id: string) => {
    const abort = aborts.current.get(id)
    if (!abort) return
    aborts.current.delete(id)
    abort.abort()
    // It may have arrived just before.
    void client.invalidateQueries({ queryKey: galleryKeys.of(userId) })
  }

  const stopAll = () => {
    for (const { id, previewUrl } of latest.current) {
      stop(id)
      URL.revokeObjectURL(previewUrl)
    }
  }
  const leave = useRef(stopAll)
  useEffect(() => {
    leave.current = stopAll
  })
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
      leave.current()
    }
  }, [])

  const take = async (files: readonly File[]) => {
    if (gone.current) return
    const choice = await acceptFiles(files, limits.gallery.maxFiles - latest.current.length)
    if (gone.current) {
      for (const { previewUrl } of choice.taken) URL.revokeObjectURL(previewUrl)
      return
    }
    change((all) => [
      ...all,
      ...choice.taken.map(
        (one): GalleryUpload => ({
          ...one,
          title: '',
          description: '',
          state: 'chosen',
          percent: 0,
          problem: null,
        }),
      ),
    ])
    setRefused(choice.refused)
  }

  // One choice after the other: how many more fit is known once the one before is in.
  const choosing = useRef<{ count: number; last: Promise<void> }>({ count: 0, last: Promise.resolve() })
  const choose = (files: readonly File[]): Promise<void> => {
    const queue = choosing.current
    queue.count += 1
    const chosen = queue.last
      .then(() => take(files))
      .finally(() => {
        queue.count -= 1
      })
    // The next one is looked at all the same.
    queue.last = chosen.catch(() => undefined)
    return chosen
  }

  const remove = (id: string) => {
    stop(id)
    change((all) => {
      for (const one of all) if (one.id === id) URL.revokeObjectURL(one.previewUrl)
      return all.filter((one) => one.id !== id)
    })
    setRefused([])
  }

  const send = async (upload: GalleryUpload): Promise<void> => {
    const { id, title, description } = upload
    const abort = new AbortController()
    aborts.current.set(id, abort)
    const { signal } = abort
    update(id, { state: 'preparing', percent: 0, problem: null })
    try {
      const file = await prepare(upload, signal)
      const item: GalleryItem = await addGalleryItem(
        { id, file, title, description },
        {
          signal,
          onProgress: (part) =>
            update(id, { state: 'uploading', percent: Math.min(100, Math.floor(part * 100)) }),
          onWaiting: () => update(id, { state: 'waiting', percent: 0 }),
        },
      )
      addItemToCache(client, item)
      update(id, { state: 'done', percent: 100 })
    } catch (error) {
      if (signal.aborted) return
      if (isUnauthorized(error)) redirectIfUnauthorized(error)
      update(id, { state: 'failed', problem: reasonOf(error) })
    } finally {
      if (aborts.current.get(id) === abort) aborts.current.delete(id)
    }
  }

  const sendEach = async (some: readonly GalleryUpload[]): Promise<UploadOutcome> => {
    await Promise.all(some.map(send))
    return uploadOutcome(latest.current, choosing.current.count > 0)
  }

  return {
    uploads,
    refused,
    choose,
    remove,
    update,
    /** Sends what was chosen and is not on its way; each file by itself, whatever happens to the others. */
    sendAll: () => sendEach(latest.current.filter(({ state }) => state === 'chosen')),
    retry: (upload: GalleryUpload) => sendEach([upload]),
  }
}

/** The file as it is sent: a large picture is made smaller, and a video does not say where it was taken. */
async function prepare({ file, kind, videoType }: GalleryUpload, signal: AbortSignal): Promise<File> {
  if (kind === 'image') return await prepareImage(file, { target, signal })
  if (videoType === 'video/webm') return file
  const bytes = await stripLocation(file)
  return new File([bytes], file.name, { type: videoType ?? file.type })
}

function reasonOf(error: unknown): string {
  if (error instanceof FileRejectedError) return error.message
  const said = error instanceof ApiError && error.status < 500 ? error.serverMessage : ''
  return said || 'The server could not be reached.'
}
