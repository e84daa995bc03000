/**
 * Calls that may take longer than others, with the milliseconds that they are waited for: what its caller is told has
 * failed must not happen all the same. Deleting an account may keep the database busy for two minutes.
 */
const slow: Record<string, number> = { 'DELETE /api/account': 150_000 }

/** How long the answer of a call may take, in milliseconds, where that is not as long as any other. */
export const patienceFor = (method: string, path: string): number | undefined => slow[`${method} ${path}`]

/** How long a job may take, in milliseconds: as long as the schedule that calls it waits at most. */
export const jobPatience = 600_000
