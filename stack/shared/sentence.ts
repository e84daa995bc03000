/**
 * A failure that a person can understand and act on. Whoever catches it at the top prints its message as
 * one line and ends with exit code 1; a stack trace would only hide the sentence.
 */
export class Sentence extends Error {
  override name = 'Sentence'
}

/** The message of anything thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Turns what the operating system says about a file into a sentence.
 *
 * @param doing what was being tried, as the beginning of the sentence ("Cannot write to .data")
 */
export function diskSentence(doing: string, error: unknown): Sentence {
  const text = messageOf(error)
  if (/ENOSPC|no space left|disk quota|EDQUOT/i.test(text)) return new Sentence(`${doing}: the disk is full.`)
  if (/EROFS|read-only/i.test(text)) return new Sentence(`${doing}: the file system is read-only.`)
  if (error instanceof Deno.errors.PermissionDenied || /EACCES|EPERM|permission denied/i.test(text)) {
    return new Sentence(`${doing}: permission denied.`)
  }
  return new Sentence(`${doing}: ${text.replace(/\.$/, '')}.`)
}
