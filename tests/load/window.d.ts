/** The globals that the benchmarks set in their pages. */
interface Window {
  /** Set by message-to-screen.mjs, in milliseconds since 1970. */
  sent: number[]
  painted: { index: number; at: number }[]
  /** Set by page-load.mjs, in milliseconds. */
  readyMs: number
  blockingMs: number
}
