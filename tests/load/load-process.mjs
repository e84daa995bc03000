import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./orders.mjs').Round} Round */

/**
 * Starts one of the load processes beside this file.
 *
 * @param {'http-load' | 'sql-load'} name
 * @param {object} config what that process wants
 * @returns {Promise<{ run: (seconds: number) => Promise<Round>, stop: () => void }>}
 * @throws {Error} when it cannot reach what it is to load
 */
export async function startLoad(name, config) {
  const child = fork(fileURLToPath(new URL(`${name}.mjs`, import.meta.url)))
  const order = (/** @type {object} */ wanted) =>
    new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`The process ${name} ended early.`))
      child.once('exit', ended)
      child.once('message', (/** @type {{ failure?: string }} */ answer) => {
        child.off('exit', ended)
        if (answer.failure) reject(new Error(answer.failure))
        else resolve(answer)
      })
      child.send(wanted)
    })
  await order({ config })
  return {
    run: async (seconds) => /** @type {Round} */ (await order({ seconds })),
    stop: () => child.disconnect(),
  }
}
