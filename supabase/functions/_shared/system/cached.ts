/**
 * Returns a function that reuses the result of `read` for `ms` milliseconds, so that many callers cause only one call.
 * A rejection is not reused.
 */
export function cached<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | null = null
  return () => {
    if (!last || performance.now() - last.at > ms) {
      const current = { at: performance.now(), result: read() }
      current.result.catch(() => {
        if (last === current) last = null
      })
      last = current
    }
    return last.result
  }
}
