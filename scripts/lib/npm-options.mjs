import { fail } from './errors.mjs'

/** npm 11 expands abbreviations of its own options: `--to` sets `token_description`. */
const expanded = /** @type {Record<string, string>} */ ({ to: 'token_description' })

/**
 * Exits with a message if npm treated an option as its own. Without `--`, `npm run rotate-keys --revoke` would run the
 * command without the option.
 *
 * @param {string[]} options the names of the command's options
 */
export function requireSeparator(options) {
  const isTaken = (/** @type {string} */ name) =>
    process.env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined
  const taken = options.find((name) => isTaken(name) || isTaken(expanded[name] ?? name))
  if (!taken) return
  const command = process.env.npm_lifecycle_event ?? '<command>'
  fail(`Write -- before the options: npm run ${command} -- --${taken} … Nothing was changed.`)
}
