import { setPriority } from 'node:os'
import bcrypt from 'bcrypt'

// Other modules import only types from this one, because its globals are those of a worker.

/** A password to hash with a cost, or to compare with a hash. */
export type PasswordJob = { password: string } & ({ cost: number } | { hash: string })

/** A nice value between that of the other threads (0) and that of the Data API (10). */
const niceValue = 5

// On Linux, this applies to the thread; elsewhere, it would apply to the whole process.
if (Deno.build.os === 'linux') setPriority(0, niceValue)

addEventListener('message', ({ data: job }: MessageEvent<PasswordJob>) => {
  postMessage('hash' in job ? verify(job) : bcrypt.hashSync(job.password, bcrypt.genSaltSync(job.cost, 'a')))
})

/** This library does not know `$2y$`, which is another name for `$2b$`. */
const verify = ({ password, hash }: { password: string; hash: string }): boolean =>
  bcrypt.compareSync(password, hash.replace(/^\$2y\$/, '$$2b$$'))
