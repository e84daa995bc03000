/**
 * A failure that the operator can understand and fix. Programs print its message without a stack trace and exit with a
 * code other than 0.
 */
export class StartupError extends Error {
  override name = 'StartupError'
  /** The exit code of a program that ends because of this error. */
  readonly exitCode: number = 1
}

/**
 * A failed upgrade, or data written by a newer version. Starting again would fail in the same way, so systemd does not
 * restart the program after this exit code (`docs/ovation.service`).
 */
export class UpgradeError extends StartupError {
  override readonly exitCode = 3
}

/** Returns the message of any thrown value, on one line. */
export function errorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Returns a StartupError for a file system error, which is given as an error object or as its message.
 *
 * @param failure what could not be done, as the beginning of the message ("Cannot write to .data")
 */
export function diskError(failure: string, error: unknown): StartupError {
  const text = errorMessage(error)
  if (/ENOSPC|no space left|disk quota|EDQUOT/i.test(text))
    return new StartupError(`${failure}: the disk is full.`)
  if (/EROFS|read-only/i.test(text)) return new StartupError(`${failure}: the file system is read-only.`)
  const isDenied = error instanceof Error && error.name === 'PermissionDenied'
  if (isDenied || /EACCES|EPERM|permission denied/i.test(text)) {
    return new StartupError(`${failure}: permission denied.`)
  }
  return new StartupError(`${failure}: ${text.replace(/\.$/, '')}.`)
}
