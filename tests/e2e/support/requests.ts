import type { Page, Route } from 'playwright/test'

/** Aborts the next request to a URL, as a lost connection does. The page then refetches its data automatically. */
export const abortNextRequest = (page: Page, url: string): Promise<unknown> =>
  page.route(url, (route) => route.abort(), { times: 1 })

/** Responds to the next request to a URL with an error status and an empty body. */
export const failNextRequest = (page: Page, url: string, status = 500): Promise<unknown> =>
  page.route(url, (route) => route.fulfill({ status, body: '' }), { times: 1 })

/** Responds to the next request to a URL. The status is 200 by default. */
export const respondToNextRequest = (
  page: Page,
  url: string,
  response: { status?: number; json: unknown },
): Promise<unknown> => page.route(url, (route) => route.fulfill(response), { times: 1 })

/** Lets a request reach the server and drops the response. */
export async function dropResponse(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

/** Creates a promise that `open` resolves. A route handler that awaits `opened` holds its request until then. */
export function createGate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
