import { fail } from './errors.mjs'

/**
 * Exits with a message if npm took an option for its own. Without `--`, `npm run rotate-keys --revoke` would run the
 * command without the option.
 *
 * @param {string[]} options the names of the command's options
 */
export function requireSeparator(options) {
  const taken = options.find((name) => process.env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined)
  if (!taken) return
  const command = process.env.npm_lifecycle_event ?? '<command>'
  fail(`Write -- before the options: npm run ${command} -- --${taken} … Nothing was changed.`)
}
