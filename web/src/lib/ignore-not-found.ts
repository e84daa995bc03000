import { ApiError } from './api'

/** Waits for a call to end; that there is nothing left to do it to (404) is no failure. */
export async function ignoreNotFound(call: Promise<void>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}
