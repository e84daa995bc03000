import { currentRequest } from '../../supabase/functions/_shared/http/request-context.ts'

// Writes JSON lines to stderr. Callers must not pass secrets or anything that users wrote.

const order = { debug: 10, info: 20, warn: 30, error: 40 } as const

export type LogLevel = keyof typeof order
export const logLevels: readonly string[] = Object.keys(order)

type Write = (event: string, fields?: Record<string, unknown>) => void

export interface Log {
  debug: Write
  info: Write
  warn: Write
  error: Write
}

const encoder = new TextEncoder()

const listeners: ((line: string) => void)[] = []

/** Calls `listener` with every log line that this process writes. */
export function addLogListener(listener: (line: string) => void): void {
  listeners.push(listener)
}

/**
 * Passes one line to the listeners and writes it to stderr. A failed write is ignored: logging must never break the
 * stack.
 */
export function writeStderrLine(line: string): void {
  for (const listener of listeners) listener(line)
  try {
    Deno.stderr.writeSync(encoder.encode(`${line}\n`))
  } catch {
    // The process that reads stderr has exited.
  }
}

/**
 * Creates a log.
 *
 * @param process the name of the process that logs
 * @param level the lowest level that is written
 */
export function createLog(process: string, level: LogLevel): Log {
  const write =
    (name: LogLevel): Write =>
    (event, fields = {}) => {
      if (order[name] < order[level]) return
      const requestId = currentRequest()?.requestId
      writeStderrLine(
        JSON.stringify({ time: new Date().toISOString(), level: name, process, event, requestId, ...fields }),
      )
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
