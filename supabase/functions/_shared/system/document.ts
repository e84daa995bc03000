import type { OpenAPIHono } from '@hono/zod-openapi'
import { sessionCookieName } from '../contract/auth.ts'
import { env } from '../env.ts'
import type { ApiEnv } from '../http/app.ts'

type Api = OpenAPIHono<ApiEnv>

/** The OpenAPI document of every call, made once from the schemas that check them. */
export function describeApi(api: Pick<Api, 'getOpenAPI31Document' | 'openAPIRegistry'>) {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session of Supabase Auth.',
  })
  api.openAPIRegistry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'The session as the browser keeps it. Calls that change something must come from the site itself.',
  })
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: `${env.appName} API`,
      version: '1',
      description:
        'Every error is JSON: `message`, `code` and, where fields broke a rule, `errors`. Lists are arrays; ' +
        'where more follow, the header `X-Next-Cursor` is what to send as `cursor` for the next page.',
    },
  })
}
