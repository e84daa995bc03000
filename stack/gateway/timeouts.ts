/**
 * The timeouts of calls that may take longer than others. A caller must not get a timeout for a change that then
 * succeeds. Deleting an account or deciding many cases can take two minutes.
 */
const slowCalls: [RegExp, number][] = [
  [/^DELETE \/api\/(account|admin\/users\/[0-9A-Fa-f-]{36})$/, 150_000],
  [/^POST \/api\/admin\/(moderate|cases\/decide)$/, 150_000],
]

/** Returns the response timeout of a call, or undefined for the default. */
export const responseTimeoutMs = (method: string, path: string): number | undefined =>
  slowCalls.find(([call]) => call.test(`${method} ${path}`))?.[1]

/** A request body or a response that makes no progress for this long is aborted. */
export const stallTimeoutMs = 60_000

/**
 * The lowest average rate of a request body or a response, enforced once `stallTimeoutMs` has passed. Otherwise one
 * byte a minute would keep a request open forever. Even the slowest mobile networks are faster.
 */
export const minBytesPerSecond = 500

/** The response timeout of a job, which equals the longest interval in the schedule. */
export const jobTimeoutMs = 600_000
