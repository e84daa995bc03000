import { formatBytes } from '../shared/format-bytes.ts'

/** How often a line is printed if the output is not a terminal. */
const lineIntervalMs = 10_000
const terminalIntervalMs = 200

export interface Progress {
  update: (done: number, total: number) => void
  /** Removes the line from the terminal. */
  end: () => void
}

/** Shows the progress of a long step on stderr: one changing line on a terminal, otherwise a line every ten seconds. */
export function showProgress(label: string): Progress {
  const isTerminal = Deno.stderr.isTerminal()
  const encoder = new TextEncoder()
  const write = (text: string): void => void Deno.stderr.writeSync(encoder.encode(text))
  const startedAt = Date.now()
  let lastAt = startedAt - (isTerminal ? terminalIntervalMs : 0)
  if (isTerminal) write(`${label} …`)
  return {
    update(done, total) {
      const now = Date.now()
      if (now - lastAt < (isTerminal ? terminalIntervalMs : lineIntervalMs)) return
      lastAt = now
      const percent = total > 0 ? Math.floor((100 * done) / total) : 0
      const rate = formatBytes((1000 * done) / Math.max(1, now - startedAt))
      const line = `${label} ${percent}% (${formatBytes(done)} of ${formatBytes(total)}, ${rate}/s)`
      write(isTerminal ? `\r\x1b[2K${line}` : `${line}\n`)
    },
    end() {
      if (isTerminal) write('\r\x1b[2K')
    },
  }
}
