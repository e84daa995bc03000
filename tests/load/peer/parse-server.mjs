// Installs Parse Server, which is not a dependency of the project, and runs it on its own PostgreSQL.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { deno, root } from '../../../scripts/lib/paths.mjs'
import { run } from '../../../scripts/lib/run.mjs'
import { freePort } from '../../../scripts/lib/test-stack.mjs'
import { fillParse } from './fill-parse.mjs'

export const parseVersion = '9.10.0'
// The override avoids version 2.3.0 of `router`, which breaks Cloud Code: it calls handlers without their `this`.
const packages = {
  dependencies: { 'parse-server': parseVersion, sharp: '0.35.5' },
  overrides: { router: '2.2.0' },
}

/**
 * @typedef {{ url: string, pids: number[], stop: () => Promise<void> }} ParseServer `pids` are the processes of the
 *   server and of its database
 */

/**
 * Installs, starts and fills Parse Server.
 *
 * @param {string} stackDatabaseUrl the database whose data is copied
 * @param {string} [packageFolder] a folder that keeps the packages for the next run; without it, they are deleted
 *   afterwards
 * @returns {Promise<ParseServer>}
 */
export async function startParseServer(stackDatabaseUrl, packageFolder) {
  const scratch = mkdtempSync(join(tmpdir(), 'ovation-peer-'))
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = []
  const stop = async () => {
    for (const child of children.toReversed()) {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGTERM')) await exited
    }
    rmSync(scratch, { recursive: true, force: true })
  }
  try {
    const folder = packageFolder ?? join(scratch, 'packages')
    await install(folder)
    const [databasePort, port] = [await freePort(), await freePort()]
    const databaseArgs = [
      'run',
      '--allow-all',
      '--no-lock',
      '--quiet',
      scriptPath('parse-database-process.mjs'),
    ]
    children.push(await start(deno, [...databaseArgs, scratch, String(databasePort)], root))
    const adminUrl = `postgres://parse:parse@127.0.0.1:${databasePort}/postgres`
    const databaseUrl = adminUrl.replace(/postgres$/, 'parse')
    const sql = postgres(adminUrl, { max: 1 })
    await sql`create database parse`
    await sql.end()
    const serverArgs = [scriptPath('parse-server-process.mjs'), folder, databaseUrl, String(port)]
    // Parse writes uploads and logs into its working directory.
    children.push(await start(process.execPath, serverArgs, scratch))
    await fillParse(stackDatabaseUrl, databaseUrl)
    return { url: `http://127.0.0.1:${port}`, pids: children.flatMap(({ pid }) => pid ?? []), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param {string} name */
const scriptPath = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Installs the packages, unless the folder already has them. @param {string} folder */
async function install(folder) {
  if (existsSync(join(folder, 'node_modules', 'sharp'))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...packages }))
  console.log(`Installing Parse Server ${parseVersion} into ${folder} …`)
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts']
  const { code, output } = await run('npm', args, { cwd: folder })
  if (code !== 0) throw new Error(`Could not install Parse Server: ${output.trim()}`)
}

/**
 * Starts a process and waits until it prints "ready".
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<import('node:child_process').ChildProcess>}
 */
function start(program, args, cwd) {
  // Leaves out the variables from which Parse Server would read additional options.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PARSE_')))
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => void child.kill('SIGTERM')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (line) => {
      if (String(line).includes('ready')) resolve(child)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${args.find((arg) => arg.endsWith('.mjs'))} exited early.`)))
  })
}
