import { ApiError, unavailable } from '../http/errors.ts'

/**
 * The limits of one process for uploads that are held in memory: images, voice recordings, and videos for the gallery.
 */
type UploadLimits = {
  /** Uploads of one account, counted from the start of the request. */
  perAccount: number
  /** Uploads of all accounts, counted once they are received, so that slow requests cannot block others. */
  received: number
  /** Bytes of all accounts' uploads, from their arrival until the slot is released. */
  bytes: number
}

export type UploadSlot = {
  /**
   * Counts bytes that have arrived and are held in memory.
   *
   * @throws ApiError 503 if all uploads together hold too many bytes
   */
  reserveBytes(count: number): void
  /**
   * Counts the upload as received.
   *
   * @throws ApiError 503 if too many uploads have been received and are being processed
   */
  markReceived(): void
  /** Frees the slot and its bytes. */
  release(): void
}

/**
 * Creates a function that acquires an upload slot for an account. That function throws ApiError 429 if the account has
 * too many uploads in progress.
 */
export function createUploadSlots(limits: UploadLimits): (userId: string) => UploadSlot {
  const slotsOfUser = new Map<string, number>()
  let receivedUploads = 0
  let reservedBytes = 0
  return (userId) => {
    const ownSlots = slotsOfUser.get(userId) ?? 0
    if (ownSlots >= limits.perAccount) {
      throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: 5 })
    }
    slotsOfUser.set(userId, ownSlots + 1)
    let isReceived = false
    let ownBytes = 0
    return {
      reserveBytes: (count) => {
        if (reservedBytes + count > limits.bytes)
          throw unavailable(new Error('Uploads hold too many bytes in memory'))
        reservedBytes += count
        ownBytes += count
      },
      markReceived: () => {
        if (receivedUploads >= limits.received)
          throw unavailable(new Error('Too many uploads are being processed'))
        receivedUploads += 1
        isReceived = true
      },
      release: () => {
        reservedBytes -= ownBytes
        if (isReceived) receivedUploads -= 1
        const remaining = (slotsOfUser.get(userId) ?? 1) - 1
        if (remaining > 0) slotsOfUser.set(userId, remaining)
        else slotsOfUser.delete(userId)
      },
    }
  }
}
