/**
 * Calls that may take longer than others, with the milliseconds that they are waited for: what its caller is told has
 * failed must not happen all the same. Deleting an account may keep the database busy for two minutes, as may asking of
 * every account whether it has to be approved.
 */
const slow: [RegExp, number][] = [
  [/^DELETE \/api\/(account|admin\/users\/[0-9A-Fa-f-]{36})$/, 150_000],
  [/^POST \/api\/admin\/(moderate|cases\/decide)$/, 150_000],
  [/^PATCH \/api\/admin\/settings$/, 150_000],
]

/** How long the answer of a call may take, in milliseconds, where that is not as long as any other. */
export const patienceFor = (method: string, path: string): number | undefined =>
  slow.find(([call]) => call.test(`${method} ${path}`))?.[1]

/** How long a job may take, in milliseconds: as long as the schedule that calls it waits at most. */
export const jobPatience = 600_000
