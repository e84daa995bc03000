import { setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/bcrypt'

// Other modules import only types from this one, because its globals are those of a worker.

/** A password to hash with a cost, or to compare with a hash. */
export type PasswordJob = { password: string } & ({ cost: number } | { hash: string })

/** A nice value between that of the other threads (0) and that of the Data API (10). */
const niceValue = 5

// On Linux, the call affects only this thread; elsewhere, it would affect the whole process.
if (Deno.build.os === 'linux') setPriority(0, niceValue)

addEventListener('message', ({ data: job }: MessageEvent<PasswordJob>) => {
  const { password } = job
  postMessage(
    'hash' in job ? verifySync(password, job.hash) : hashSync(password, { cost: job.cost, version: '2a' }),
  )
})
