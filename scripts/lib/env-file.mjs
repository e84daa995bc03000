import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

/** Loads the variables of the file .env, if it exists. Variables that are already set take precedence. */
export function readEnvFile() {
  let text
  try {
    text = readFileSync(join(root, '.env'), 'utf8')
  } catch {
    return
  }
  for (const line of text.split('\n')) {
    const pair = line.match(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/)
    if (!pair) continue
    const [, name = '', raw = ''] = pair
    const quoted = raw.match(/^(["'])(.*)\1$/)
    const value = quoted ? (quoted[2] ?? '') : raw.replace(/\s+#.*$/, '')
    if (process.env[name] === undefined) process.env[name] = value
  }
}
