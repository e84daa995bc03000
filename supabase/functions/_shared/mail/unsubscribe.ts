import { createRoute, z } from '@hono/zod-openapi'
import { UnsubscribeResponse } from '../contract/notification-settings.ts'
import { env } from '../env.ts'
import { createRouter, limitBody } from '../http/app.ts'
import { notFound } from '../http/errors.ts'
import { jsonResponse } from '../http/responses.ts'
import { asService } from '../http/run-as.ts'

/*
 * Routes for unsubscribing from notification emails without signing in. A mail program sends a POST to the URL in the
 * `List-Unsubscribe` header (RFC 8058). A GET request for that URL only redirects to a page with a button, because mail
 * scanners open links.
 */

/** Returns the path of the page that unsubscribes the user to whom a token belongs. */
export const unsubscribePath = (token: string) => `/unsubscribe?token=${token}`

/** Returns the headers that make mail programs show their own unsubscribe button. */
export const unsubscribeHeaders = (token: string) => ({
  'List-Unsubscribe': `<${env.publicUrl}/api${unsubscribePath(token)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const Query = z.object({ token: z.string().default('') })
const tags = ['Notifications']

export const unsubscribeRoutes = createRouter()

unsubscribeRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/unsubscribe',
    tags,
    summary: 'Open the page that unsubscribes from emails; changes nothing',
    request: { query: Query },
    responses: { 302: { description: 'Redirect to the unsubscribe page' } },
  }),
  (c) => c.redirect(unsubscribePath(encodeURIComponent(c.req.valid('query').token)), 302),
)

unsubscribeRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/unsubscribe',
    tags,
    summary:
      'Turn off emails about unread activity with the token from an email (RFC 8058); needs no session',
    middleware: limitBody,
    request: { query: Query },
    responses: { 200: jsonResponse(UnsubscribeResponse, 'The emails are turned off') },
  }),
  async (c) => {
    // Runs as the service role, because the token replaces the session.
    const [row] = await asService(
      (tx) =>
        tx<{ known: boolean }[]>`select private.unsubscribe(${c.req.valid('query').token}::text) as known`,
    )
    if (!row?.known) throw notFound('This unsubscribe link no longer works.')
    return c.json({ unsubscribed: true as const }, 200)
  },
)
