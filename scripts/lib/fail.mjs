/**
 * Ends the program with one sentence.
 *
 * @param {string} sentence
 * @returns {never}
 */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * The message of anything thrown, on one line.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim()
}
