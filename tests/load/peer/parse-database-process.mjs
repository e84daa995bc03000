// Runs PostgreSQL for Parse Server, with the same program and settings as the stack's. Deno runs this file with a
// folder and a port as its arguments. Prints "ready", and stops on SIGTERM.

/**
 * @typedef {{ args: string[], exit(code: number): void, addSignalListener(name: string, listener: () => void): void }}
 *   DenoLike
 */

// The type checker treats this file as Node code.
const { Deno: deno } = /** @type {{ Deno: DenoLike }} */ (/** @type {unknown} */ (globalThis))
const [folder = '', port = ''] = deno.args

/**
 * Imports a module of the stack. Because the path is computed, the type checker does not check the module.
 *
 * @param {string} path
 */
const importStack = (path) => import(new URL(`../../../stack/${path}`, import.meta.url).href)

const { findBinaries } = await importStack('postgres/binaries.ts')
const { findProcessUser } = await importStack('postgres/process-user.ts')
const { initCluster } = await importStack('postgres/init-cluster.ts')
const { PostgresServer } = await importStack('postgres/server.ts')

const [binaries, processUser] = [await findBinaries(), await findProcessUser()]
const directory = await initCluster(folder, binaries, processUser, 'parse', 'parse')
const log = { debug() {}, info() {}, warn() {}, error: console.error }
const server = new PostgresServer({
  binaries,
  processUser,
  directory,
  port: Number(port),
  url: `postgres://parse:parse@127.0.0.1:${port}/postgres`,
  log,
  onGiveUp: (/** @type {string} */ message) => {
    console.error(message)
    deno.exit(1)
  },
})
deno.addSignalListener('SIGTERM', () => void server.stop(5000).then(() => deno.exit(0)))
await server.start()
console.log('ready')
