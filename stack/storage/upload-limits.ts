import type { Bucket, StorageDatabase } from './database.ts'
import { invalidKey, invalidMimeType, quotaReached, rateLimited, tooLarge } from './errors.ts'

/** The characters that Supabase allows in an object's name. */
const validKey = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]{1,1024}$/
const validBucketName = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/

/** Checks the name of a new object. @throws StorageError 400 */
export function requireValidKey(key: string): void {
  const isRelative = key.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (!validKey.test(key) || isRelative) throw invalidKey(key)
}

export const isValidBucketName = (name: string): boolean =>
  validBucketName.test(name) && name.trim() === name && !/^\.+$/.test(name)

/** Checks that a bucket accepts the type of a new object. @throws StorageError 415 */
export function requireAllowedType({ allowed_mime_types: allowed }: Bucket, contentType: string): void {
  const isSyntaxValid = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;[\x20-\x7e]*)?$/.test(contentType)
  if (!isSyntaxValid || contentType.length > 255) throw invalidMimeType(contentType.slice(0, 255))
  if (!allowed || allowed.length === 0) return
  const type = withoutParameters(contentType)
  const isAllowed = allowed.map(withoutParameters).some((each) => {
    return each === type || each === '*/*' || (each.endsWith('/*') && type.startsWith(each.slice(0, -1)))
  })
  if (!isAllowed) throw invalidMimeType(contentType)
}

const withoutParameters = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

/** An upload in progress, whose bytes count against its owner's quota until it ends. */
export interface Reservation {
  /** @throws StorageError 403 if the quota is reached */
  take(bytes: number): void
  /** Checks the quota again, including the uploads that have ended since this one began. @throws StorageError 403 */
  confirm(): Promise<void>
  end(): void
}

/**
 * Counts the bytes of uploads while they are received, so that concurrent uploads together cannot exceed an account's
 * quota.
 */
export class UploadQuota {
  readonly #reserved = new Map<string, number>()

  /** @param pendingBytes returns the total declared size of a user's resumable uploads in progress */
  constructor(
    private readonly database: StorageDatabase,
    private readonly pendingBytes: (userId: string) => number,
  ) {}

  /**
   * Runs `work` while `bytes` count against the owner's quota.
   *
   * @throws StorageError 403 if the quota is reached
   */
  async reserve<T>(owner: string | null, bytes: number, work: () => Promise<T> | T): Promise<T> {
    const reservation = await this.begin(owner)
    try {
      reservation.take(bytes)
      await reservation.confirm()
      return await work()
    } finally {
      reservation.end()
    }
  }

  /** Starts counting an upload. Uploads by the service role and visitors have no owner, and therefore no quota. */
  async begin(owner: string | null): Promise<Reservation> {
    if (owner === null) {
      return { take: () => undefined, confirm: () => Promise.resolve(), end: () => undefined }
    }
    let usage = await this.database.readUsage(owner)
    let taken = 0
    const reservedBytes = () => (this.#reserved.get(owner) ?? 0) + this.pendingBytes(owner)
    const change = (bytes: number): void => {
      const reserved = (this.#reserved.get(owner) ?? 0) + bytes
      if (reserved > 0) this.#reserved.set(owner, reserved)
      else this.#reserved.delete(owner)
    }
    return {
      take: (bytes) => {
        if (usage.used + reservedBytes() + bytes > usage.quota) throw quotaReached()
        taken += bytes
        change(bytes)
      },
      confirm: async () => {
        // Read before the query, so that an upload that ends in the meantime counts twice instead of not at all.
        const reserved = reservedBytes()
        usage = await this.database.readUsage(owner)
        if (usage.used + reserved > usage.quota) throw quotaReached()
      },
      end: () => {
        change(-taken)
        taken = 0
      },
    }
  }
}

/**
 * Limits concurrent uploads with the same signed URL, because the URL can be used repeatedly and uploads without an
 * owner are not limited by a quota.
 */
export class SignedUploadLimit {
  readonly #running = new Map<string, number>()

  /** @throws StorageError 429 */
  async run<T>(token: string, upload: () => Promise<T>): Promise<T> {
    const running = this.#running.get(token) ?? 0
    if (running >= 3) throw rateLimited()
    this.#running.set(token, running + 1)
    try {
      return await upload()
    } finally {
      const remaining = (this.#running.get(token) ?? 1) - 1
      if (remaining > 0) this.#running.set(token, remaining)
      else this.#running.delete(token)
    }
  }
}

/** Yields the chunks of an upload. @throws StorageError 403 or 413 if it exceeds a limit */
export async function* limitUpload(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    reservation.take(chunk.length)
    yield chunk
  }
}
