import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./load-worker.mjs').LoadResult} LoadResult */

/**
 * Starts one of the load processes in this folder.
 *
 * @param {'http-load' | 'sql-load' | 'hostile-load'} name
 * @param {object} config the configuration of that process
 * @returns {Promise<{ run: (seconds: number, maxOperations?: number) => Promise<LoadResult>, stop: () => void }>}
 * @throws {Error} if the process exits early or cannot prepare its load
 */
export async function startLoadProcess(name, config) {
  const child = fork(fileURLToPath(new URL(`${name}.mjs`, import.meta.url)), { serialization: 'advanced' })
  const send = (/** @type {object} */ command) =>
    new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`The process ${name} exited early.`))
      child.once('exit', onExit)
      child.once('message', (/** @type {{ failure?: string }} */ reply) => {
        child.off('exit', onExit)
        if (reply.failure) reject(new Error(reply.failure))
        else resolve(reply)
      })
      child.send(command)
    })
  await send({ config })
  return {
    run: async (seconds, maxOperations) => /** @type {LoadResult} */ (await send({ seconds, maxOperations })),
    stop: () => child.disconnect(),
  }
}
