/**
 * Whose text is encrypted, and for what: it is read again only with the same three.
 *
 * Nothing of the settings is read here, so that programs beside the functions can encrypt as they do.
 */
export type Seal = {
  /** `ENCRYPTION_KEY`. */
  key: string
  /** What it is for, as `payout-details`. Each purpose has a key of its own. */
  purpose: string
  /** The id that it belongs to: what is moved to another's row cannot be read there. */
  owner: string
}

/** Which way of encrypting: `v1.<nonce>.<ciphertext>`, both in base64url. AES-256-GCM, the key by HKDF with SHA-256. */
const version = 'v1'
const nonceLength = 12

/** Encrypts a text. The same text looks different each time. */
export async function encrypt(text: string, seal: Seal): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: boundTo(seal) },
    await keyFor(seal),
    new TextEncoder().encode(text),
  )
  return [version, toText(nonce), toText(new Uint8Array(sealed))].join('.')
}

/**
 * Decrypts what `encrypt` answered.
 *
 * @throws Error when it was encrypted with another key, for another purpose or owner, or was changed since
 */
export async function decrypt(encrypted: string, seal: Seal): Promise<string> {
  const [written, nonce, sealed, more] = encrypted.split('.')
  if (written !== version || !nonce || !sealed || more !== undefined) throw unreadable()
  const key = await keyFor(seal)
  try {
    const algorithm = { name: 'AES-GCM', iv: toBytes(nonce), additionalData: boundTo(seal) }
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, toBytes(sealed)))
  } catch {
    // Why is not said by the cipher, and what was tried is not repeated.
    throw unreadable()
  }
}

const unreadable = () => new Error('This was not encrypted with this key, or was changed since.')

const boundTo = ({ purpose, owner }: Seal) => new TextEncoder().encode(`${version}.${purpose}.${owner}`)

async function keyFor({ key, purpose }: Seal): Promise<CryptoKey> {
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

const toText = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
