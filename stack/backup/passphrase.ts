import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { StartupError } from '../shared/errors.ts'

export const minPassphraseLength = 12

/** Text encrypted with a passphrase: AES-256-GCM with a key from scrypt. Binary values are base64-encoded. */
export interface EncryptedText {
  cipher: 'aes-256-gcm'
  kdf: 'scrypt'
  cost: number
  salt: string
  iv: string
  tag: string
  data: string
}

/** The cost parameter of scrypt. Deriving a key takes about half a second and 128 MB of memory. */
const cost = 2 ** 17

const deriveKey = (passphrase: string, salt: Uint8Array, scryptCost: number) =>
  scryptSync(passphrase.normalize('NFKC'), salt, 32, { N: scryptCost, r: 8, p: 1, maxmem: 2 ** 30 })

export function encryptText(text: string, passphrase: string): EncryptedText {
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(passphrase, salt, cost), iv)
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const encode = (bytes: Buffer) => bytes.toString('base64')
  return {
    cipher: 'aes-256-gcm',
    kdf: 'scrypt',
    cost,
    salt: encode(salt),
    iv: encode(iv),
    tag: encode(cipher.getAuthTag()),
    data: encode(data),
  }
}

/** @throws StartupError if the passphrase is wrong or the text was altered */
export function decryptText(encrypted: EncryptedText, passphrase: string): string {
  const decode = (text: string) => Buffer.from(text, 'base64')
  try {
    if (!(encrypted.cost <= 2 ** 20)) throw new Error('the cost is out of range')
    const key = deriveKey(passphrase, decode(encrypted.salt), encrypted.cost)
    const decipher = createDecipheriv('aes-256-gcm', key, decode(encrypted.iv), { authTagLength: 16 })
    decipher.setAuthTag(decode(encrypted.tag))
    return Buffer.concat([decipher.update(decode(encrypted.data)), decipher.final()]).toString('utf8')
  } catch {
    throw new StartupError(
      'The passphrase is wrong, or the archive is damaged: its secrets cannot be decrypted.',
    )
  }
}
