/**
 * The file in the embedded stack's data directory in which the supervisor keeps the most recent warnings and errors
 * from all processes.
 */
export const recentErrorsFile = 'recent-errors.jsonl'

export const maxRecentErrors = 50

const lines: string[] = []

/**
 * Keeps the log line of a warning or error from this process, and discards the oldest line if there are too many.
 */
export function recordError(line: string): void {
  lines.push(line)
  if (lines.length > maxRecentErrors) lines.shift()
}

/** Returns the log lines of this process's most recent warnings and errors, oldest first. */
export const recentErrorLines = (): readonly string[] => lines
