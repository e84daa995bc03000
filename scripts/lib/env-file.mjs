import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage, fail } from './errors.mjs'
import { root } from './paths.mjs'

/**
 * Reads a file in .env format and returns its variables, or null if the file does not exist.
 *
 * @param {string} path
 * @returns {Record<string, string> | null}
 */
export function parseEnvFile(path) {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    return fail(`Cannot read ${path}: ${errorMessage(error)}`)
  }
}

/**
 * Returns the variables in a text in .env format.
 *
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function parseEnv(text) {
  const pairs = text.split('\n').flatMap((line) => {
    const pair = line.match(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/)
    if (!pair) return []
    const [, name = '', raw = ''] = pair
    const quoted = raw.match(/^(["'])(.*)\1$/)
    return [[name, quoted ? (quoted[2] ?? '') : raw.replace(/\s+#.*$/, '')]]
  })
  return Object.fromEntries(pairs)
}

/** Loads the variables in .env, if the file exists. Variables that are already set take precedence. */
export function readEnvFile() {
  for (const [name, value] of Object.entries(parseEnvFile(join(root, '.env')) ?? {})) {
    if (process.env[name] === undefined) process.env[name] = value
  }
}
