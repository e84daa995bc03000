import { setPriority } from 'node:os'
import { bcrypt, bcryptVerify } from 'hash-wasm'

// No other module imports this one, because its globals are those of a worker.

/** A password to hash with a cost, or to compare with a hash. */
export type PasswordJob = { password: string } & ({ cost: number } | { hash: string })

/** Lower than that of the other threads, and higher than that of the Data API. */
const priority = 5
/** bcrypt ignores everything after this many bytes. */
const maxBytes = 72

// On Linux, this applies to the thread; elsewhere, it would apply to the whole process.
if (Deno.build.os === 'linux') setPriority(0, priority)

addEventListener('message', (event: MessageEvent<PasswordJob>) => {
  void run(event.data).then((result) => postMessage(result))
})

async function run(job: PasswordJob): Promise<string | boolean> {
  const password = new TextEncoder().encode(job.password).subarray(0, maxBytes)
  if ('hash' in job) return await bcryptVerify({ password, hash: job.hash })
  const salt = crypto.getRandomValues(new Uint8Array(16))
  return await bcrypt({ password, salt, costFactor: job.cost })
}
