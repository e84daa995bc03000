import { createInterface } from 'node:readline/promises'
import { fail } from './errors.mjs'

/**
 * Asks for confirmation on the terminal, unless the command was called with `--yes`. Exits if there is no terminal
 * or the answer is not yes.
 *
 * @param {string} question
 * @param {{ command: string, refused: string }} messages the command to use without a terminal, and the message if the
 *   answer is not yes
 */
export async function confirm(question, { command, refused }) {
  if (process.argv.includes('--yes')) return
  if (!process.stdin.isTTY) fail(`Cannot ask for confirmation without a terminal: use ${command}.`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} Type yes to confirm: `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') fail(refused)
}
