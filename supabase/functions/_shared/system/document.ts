import type { OpenAPIHono } from '@hono/zod-openapi'
import { sessionCookieName } from '../contract/auth.ts'
import { ErrorBody } from '../contract/errors.ts'
import { env } from '../env.ts'
import type { ApiEnv } from '../http/app.ts'

type Api = Pick<OpenAPIHono<ApiEnv>, 'getOpenAPI31Document' | 'openAPIRegistry'>
type Document = ReturnType<Api['getOpenAPI31Document']>

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The OpenAPI document of every call, made once from the schemas that check them. */
export function describeApi({ openAPIRegistry: registry, getOpenAPI31Document }: Api): Document {
  registry.register('Error', ErrorBody)
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session of Supabase Auth.',
  })
  registry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'The session as the browser keeps it. Calls that change something must come from the site itself.',
  })
  return withErrors(
    getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: `${env.appName} API`,
        version: '1',
        description:
          'Lists are arrays; where more follow, the header `X-Next-Cursor` is what to send as `cursor` for the next page.',
      },
    }),
  )
}

/** Any call may be refused, and a refusal always has the same shape: said here once rather than at every route. */
function withErrors(document: Document): Document {
  const refusal = {
    description: 'It was refused, or failed',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of methods) {
      const operation = path[method]
      if (operation?.responses) operation.responses.default = refusal
    }
  }
  return document
}
