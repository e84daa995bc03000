import type { AiKey, AiKeyReveal } from '../contract/auto-posting.ts'
import { decrypt, type EncryptionContext, encrypt } from '../encryption.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asService, asUser } from '../http/run-as.ts'

/** The encryption context of the provider's API key. An instance has one such key. */
const encryptionContext: EncryptionContext = {
  keys: env.encryptionKeys,
  purpose: 'ai-key',
  owner: 'instance',
}

const prefix = 'sk-'
const maxStars = 20
const shownEndLength = 4

/**
 * Returns what admins see of a key: 'sk-', an asterisk for each hidden character (at most 20), and the last 4
 * characters.
 */
const maskKey = (apiKey: string): string => {
  const hiddenLength = apiKey.length - prefix.length - shownEndLength
  return prefix + '*'.repeat(Math.min(maxStars, Math.max(0, hiddenLength))) + apiKey.slice(-shownEndLength)
}

type Status = { mask: string; setAt: string; refusedAt: string | null }

/**
 * Returns the masked key.
 *
 * @throws ApiError 403 for a caller who is not an admin
 */
export async function readKey(caller: Caller): Promise<AiKey> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ status: string | null }[]>`select private.ai_key_status()::text as status`,
  )
  if (!row?.status) return { hasKey: false, apiKey: null, setAt: null, refusedAt: null }
  const { mask, setAt, refusedAt } = JSON.parse(row.status) as Status
  return { hasKey: true, apiKey: mask, setAt, refusedAt }
}

/**
 * Encrypts a key and stores it in place of the current one.
 *
 * @throws ApiError 403 for a caller who is not an admin
 */
export async function setKey(caller: Caller, apiKey: string): Promise<AiKey> {
  const encrypted = await encrypt(apiKey, encryptionContext)
  await asUser(caller, (tx) => tx`select private.set_ai_key(${encrypted}::text, ${maskKey(apiKey)}::text)`)
  return await readKey(caller)
}

/**
 * Deletes the key, if there is one.
 *
 * @throws ApiError 403 for a caller who is not an admin
 */
export async function removeKey(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.remove_ai_key()`)
}

/**
 * Returns the full key. The request is recorded in the audit log, whether or not the key can be decrypted.
 *
 * @throws ApiError 403 for a caller who is not an admin; 404 if there is no key; 409 if the key was encrypted with
 *   another ENCRYPTION_KEY
 */
export async function revealKey(caller: Caller): Promise<AiKeyReveal> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ encrypted: string }[]>`select private.reveal_ai_key() as encrypted`,
  )
  if (!row) throw notFound('There is no API key.')
  return { apiKey: await decryptKey(row.encrypted) }
}

async function decryptKey(encrypted: string): Promise<string> {
  try {
    return await decrypt(encrypted, encryptionContext)
  } catch {
    log('error', 'ai_key_unreadable')
    throw new ApiError(
      409,
      "Couldn't decrypt this API key: it was encrypted with another ENCRYPTION_KEY. Please enter the key again.",
    )
  }
}

/** The key and its encrypted form, which identifies it in the database. */
export type UsableKey = { apiKey: string; encrypted: string }

/**
 * Returns the key for calling the provider, or null if there is none or the provider has rejected it.
 *
 * @param evenIfRejected whether to return the key even if the provider rejected it, in order to try it again
 * @throws ApiError 409 if the key was encrypted with another ENCRYPTION_KEY
 */
export async function readUsableKey(evenIfRejected: boolean): Promise<UsableKey | null> {
  const [row] = await asService(
    (tx) =>
      tx<{ encrypted: string | null }[]>`
        select private.encrypted_ai_key(${evenIfRejected}::boolean) as encrypted`,
  )
  return row?.encrypted ? { apiKey: await decryptKey(row.encrypted), encrypted: row.encrypted } : null
}

export async function saveKeyStatus({ encrypted }: UsableKey, isRejected: boolean): Promise<void> {
  await asService((tx) => tx`select private.record_ai_key_status(${encrypted}::text, ${isRejected}::boolean)`)
}

export const keyMissing = () =>
  new ApiError(409, 'There is no API key. Please add one first.', { code: 'ai_key_missing' })
