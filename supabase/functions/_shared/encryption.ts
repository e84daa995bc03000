/*
 * This module imports no settings, so that programs outside the functions can encrypt in the same way.
 */

/** The context of an encrypted value, which can be decrypted only with the same key, purpose and owner. */
export type EncryptionContext = {
  /** `ENCRYPTION_KEY`. */
  key: string
  /** The kind of value, for example `payout-details`. A separate key is derived for each purpose. */
  purpose: string
  /**
   * The id of the user whose value it is, or `instance` for a value of the whole instance. A value that is moved to
   * another owner's row cannot be decrypted there.
   */
  owner: string
}

/**
 * The version of the format `v1.<nonce>.<ciphertext>`, with nonce and ciphertext in base64url. The cipher is
 * AES-256-GCM, and its key is derived with HKDF-SHA-256.
 */
const version = 'v1'
const nonceLength = 12

/** Encrypts a string. Each call uses a new nonce, so encrypting the same string twice gives different results. */
export async function encrypt(text: string, context: EncryptionContext): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
  const ciphertext = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: additionalData(context) },
    await deriveKey(context),
    new TextEncoder().encode(text),
  )
  return [version, toBase64Url(nonce), toBase64Url(new Uint8Array(ciphertext))].join('.')
}

/**
 * Decrypts a result of `encrypt`.
 *
 * @throws Error if the key, purpose or owner is different, or the encrypted value was modified
 */
export async function decrypt(encrypted: string, context: EncryptionContext): Promise<string> {
  const [textVersion, nonce, ciphertext, rest] = encrypted.split('.')
  if (textVersion !== version || !nonce || !ciphertext || rest !== undefined) throw cannotDecrypt()
  const key = await deriveKey(context)
  try {
    const algorithm = { name: 'AES-GCM', iv: fromBase64Url(nonce), additionalData: additionalData(context) }
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, fromBase64Url(ciphertext)))
  } catch {
    // The cipher does not report the reason, and the error must not contain the encrypted value.
    throw cannotDecrypt()
  }
}

const cannotDecrypt = () =>
  new Error('The value was not encrypted with this key, purpose and owner, or was modified.')

const additionalData = ({ purpose, owner }: EncryptionContext) =>
  new TextEncoder().encode(`${version}.${purpose}.${owner}`)

async function deriveKey({ key, purpose }: EncryptionContext): Promise<CryptoKey> {
  const encoder = new TextEncoder()
  const secret = await crypto.subtle.importKey('raw', encoder.encode(key), 'HKDF', false, ['deriveKey'])
  return await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
