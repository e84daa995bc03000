/** JSON lines on stderr. Callers pass no secrets and nothing that people wrote. */

const order = { debug: 10, info: 20, warn: 30, error: 40 } as const

export type LogLevel = keyof typeof order
export const logLevels: readonly string[] = Object.keys(order)

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

const encoder = new TextEncoder()

/**
 * @param part which part of the stack speaks
 * @param level the least level that is written
 */
export function createLog(part: string, level: LogLevel): Log {
  const write =
    (name: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      if (order[name] < order[level]) return
      const line = JSON.stringify({ time: new Date().toISOString(), level: name, part, message, ...fields })
      try {
        Deno.stderr.writeSync(encoder.encode(`${line}\n`))
      } catch {
        // Nobody reads stderr any more: logging must never be what breaks the stack.
      }
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
