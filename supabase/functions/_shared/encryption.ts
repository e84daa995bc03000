/*
 * Imports no settings, so that programs outside the functions can encrypt the same way.
 */

/** The context of an encrypted text. It can be decrypted only with the same three values. */
export type EncryptionContext = {
  /** `ENCRYPTION_KEY`. */
  key: string
  /** What the text is, for example `payout-details`. A separate key is derived for each purpose. */
  purpose: string
  /** The id of the owner, so that a text moved to another owner's row cannot be decrypted there. */
  owner: string
}

/** Version of the format `v1.<nonce>.<ciphertext>`, both in base64url: AES-256-GCM with a key from HKDF-SHA-256. */
const version = 'v1'
const nonceLength = 12

/** Encrypts a text. Each call uses a new nonce, so the same text gives different results. */
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
 * @throws Error when the key, purpose or owner is different, or the text was modified
 */
export async function decrypt(encrypted: string, context: EncryptionContext): Promise<string> {
  const [textVersion, nonce, ciphertext, rest] = encrypted.split('.')
  if (textVersion !== version || !nonce || !ciphertext || rest !== undefined) throw cannotDecrypt()
  const key = await deriveKey(context)
  try {
    const algorithm = { name: 'AES-GCM', iv: fromBase64Url(nonce), additionalData: additionalData(context) }
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, fromBase64Url(ciphertext)))
  } catch {
    // The cipher does not say why, and the error must not contain the text.
    throw cannotDecrypt()
  }
}

const cannotDecrypt = () =>
  new Error('The text was not encrypted with this key, purpose and owner, or was modified.')

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
