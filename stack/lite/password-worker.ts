import { setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'
import { verifySync as verifyBcryptSync } from '@node-rs/bcrypt'

// Other modules import only types from this one, because its globals are those of a worker.

/** A password to hash, or to compare with a hash. */
export interface PasswordJob {
  password: string
  hash?: string
}

/** The parameters of Argon2id. OWASP recommends at least 19 MiB for two passes. The memory is in KiB. */
const argon2Options = { memoryCost: 32 * 1024, timeCost: 2, parallelism: 1 }

/** A nice value between that of the other threads (0) and that of the Data API (10). */
const niceValue = 5

// On Linux, the call affects only this thread; elsewhere, it would affect the whole process.
if (Deno.build.os === 'linux') setPriority(0, niceValue)

addEventListener('message', ({ data: { password, hash } }: MessageEvent<PasswordJob>) => {
  postMessage(hash === undefined ? hashSync(password, argon2Options) : isPasswordOf(hash, password))
})

/**
 * Returns whether a hash belongs to a password. Version 0.1 and Supabase store bcrypt hashes. A malformed hash belongs
 * to no password.
 */
function isPasswordOf(hash: string, password: string): boolean {
  if (hash.startsWith('$2')) return verifyBcryptSync(password, hash)
  try {
    return verifySync(hash, password)
  } catch {
    return false
  }
}
