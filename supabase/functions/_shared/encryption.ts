import { Buffer } from 'node:buffer'

/*
 * This module does not import `env.ts`, because programs outside the functions use it too.
 */

export type EncryptionKeys = readonly [current: string, ...previous: string[]]

/** The context of an encrypted value, which can be decrypted only with the same key, purpose and owner. */
export type EncryptionContext = {
  /**
   * `ENCRYPTION_KEY`, which encrypts new values, followed by the previous keys, which only decrypt stored values.
   */
  keys: EncryptionKeys
  /**
   * The kind of value. A separate key is derived for each purpose. `stack/database/reencrypt.ts` lists where the values
   * are stored.
   */
  purpose: 'payout-details' | 'ai-key'
  /**
   * The id of the user whose value it is, or `instance` for a value of the whole instance. A value that is moved to
   * another owner's row cannot be decrypted there.
   */
  owner: string
}

/**
 * The version of the format `v2.<key id>.<nonce>.<ciphertext>`, with nonce and ciphertext in base64url. The cipher is
 * AES-256-GCM, and its key is derived with HKDF-SHA-256. `v1`, the format used before keys could be replaced, has no
 * key id.
 */
const version = 'v2'
const nonceLength = 12

/** Encrypts a string. Each call uses a new nonce, so encrypting the same string twice gives different results. */
export async function encrypt(text: string, context: EncryptionContext): Promise<string> {
  const [key] = context.keys
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
  const ciphertext = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: additionalData(version, context) },
    await deriveKey(key, context.purpose),
    new TextEncoder().encode(text),
  )
  return `${await encryptedPrefix(key)}${toBase64Url(nonce)}.${toBase64Url(new Uint8Array(ciphertext))}`
}

/**
 * Decrypts a result of `encrypt`.
 *
 * @throws Error if it was not encrypted with one of the keys for this purpose and owner, or if it was modified
 */
export async function decrypt(encrypted: string, context: EncryptionContext): Promise<string> {
  const parts = encrypted.split('.')
  const [ciphertext, nonce] = parts.reverse()
  const valueVersion = parts.at(-1)
  if (!nonce || !ciphertext || parts.length !== (valueVersion === 'v1' ? 3 : 4)) throw cannotDecrypt()
  for (const key of context.keys) {
    if (valueVersion !== 'v1' && !encrypted.startsWith(await encryptedPrefix(key))) continue
    try {
      const algorithm = {
        name: 'AES-GCM',
        iv: fromBase64Url(nonce),
        additionalData: additionalData(valueVersion ?? '', context),
      }
      const derived = await deriveKey(key, context.purpose)
      return new TextDecoder().decode(
        await crypto.subtle.decrypt(algorithm, derived, fromBase64Url(ciphertext)),
      )
    } catch {
      // The cipher's error is not passed on: it gives no reason, and no error may contain the encrypted value.
    }
  }
  throw cannotDecrypt()
}

/**
 * Returns the prefix that `encrypt` gives to every value encrypted with a key: the format version and the key's id.
 */
export async function encryptedPrefix(key: string): Promise<string> {
  const bits = await crypto.subtle.deriveBits(derivation('key-id'), await importSecret(key), 32)
  return `${version}.${Buffer.from(bits).toString('hex')}.`
}

const cannotDecrypt = () =>
  new Error('The value was not encrypted with these keys, purpose and owner, or was modified.')

const additionalData = (valueVersion: string, { purpose, owner }: EncryptionContext) =>
  new TextEncoder().encode(`${valueVersion}.${purpose}.${owner}`)

const importSecret = (key: string) =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(key), 'HKDF', false, ['deriveKey', 'deriveBits'])

const derivation = (purpose: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(),
  info: new TextEncoder().encode(purpose),
})

const deriveKey = async (key: string, purpose: string): Promise<CryptoKey> =>
  await crypto.subtle.deriveKey(
    derivation(purpose),
    await importSecret(key),
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )

const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

// `Buffer` would ignore invalid characters.
const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
