import type { AiKey, AiKeyReveal } from '../contract/auto-posting.ts'
import { asService, asUser } from '../db/run.ts'
import { env } from '../env.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { Caller } from '../http/session.ts'
import { decrypt, encrypt } from '../secrets.ts'

/** There is one key for all of an instance. */
const seal = { key: env.encryptionKey, purpose: 'ai-key', owner: 'instance' }

const prefix = 'sk-'
/** Characters that are shown at the end, and stars in place of the others at most. */
const shown = { end: 4, stars: 20 } as const

/** What is shown of a key: 'sk-', a star for each hidden character up to 20, the last 4 characters. */
const maskKey = (apiKey: string): string => {
  const hidden = apiKey.length - prefix.length - shown.end
  return prefix + '*'.repeat(Math.min(shown.stars, Math.max(0, hidden))) + apiKey.slice(-shown.end)
}

type Status = { mask: string; setAt: string; refusedAt: string | null }

/**
 * What is shown of the key.
 *
 * @throws ApiError 403 for who is no admin
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
 * Keeps a key, encrypted, in the place of any other.
 *
 * @throws ApiError 403 for who is no admin
 */
export async function setKey(caller: Caller, apiKey: string): Promise<AiKey> {
  const sealed = await encrypt(apiKey, seal)
  await asUser(caller, (tx) => tx`select private.set_ai_key(${sealed}::text, ${maskKey(apiKey)}::text)`)
  return await readKey(caller)
}

/** Forgets the key; without one, nothing changes. */
export async function removeKey(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.remove_ai_key()`)
}

/**
 * The key in full. That it was asked for stands in the audit log, whether it can be read or not.
 *
 * @throws ApiError 403 for who is no admin, 404 without a key, 409 when it was encrypted with another ENCRYPTION_KEY
 */
export async function revealKey(caller: Caller): Promise<AiKeyReveal> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ sealed: string }[]>`select private.reveal_ai_key() as sealed`,
  )
  if (!row) throw notFound('There is no API key.')
  return { apiKey: await open(row.sealed) }
}

async function open(sealed: string): Promise<string> {
  try {
    return await decrypt(sealed, seal)
  } catch {
    log('error', 'ai_key_unreadable')
    throw new ApiError(
      409,
      'This API key cannot be read: it was encrypted with another ENCRYPTION_KEY. Please enter the key again.',
    )
  }
}

/** The key, and what is stored of it, by which it is named when the provider refuses it. */
export type WorkingKey = { apiKey: string; sealed: string }

/**
 * The key to work with; null without one, and while the provider does not take it.
 *
 * @param evenIfRefused somebody wants to know whether it is taken again
 * @throws ApiError 409 when it was encrypted with another ENCRYPTION_KEY
 */
export async function workingKey(evenIfRefused: boolean): Promise<WorkingKey | null> {
  const [row] = await asService(
    'the key is nobody’s to read; here it is only worked with',
    (tx) =>
      tx<{ sealed: string | null }[]>`select private.sealed_ai_key(${evenIfRefused}::boolean) as sealed`,
  )
  return row?.sealed ? { apiKey: await open(row.sealed), sealed: row.sealed } : null
}

/** Remembers that the provider does not take a key, or does so again. */
export async function noteKey({ sealed }: WorkingKey, refused: boolean): Promise<void> {
  await asService(
    'what the provider says of the key comes with no caller',
    (tx) => tx`select private.note_ai_key(${sealed}::text, ${refused}::boolean)`,
  )
}

export const keyMissing = () =>
  new ApiError(409, 'There is no API key. Please add one first.', { code: 'ai_key_missing' })
