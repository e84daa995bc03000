import type { OpenAPIHono } from '@hono/zod-openapi'
import { ErrorBody } from '../contract/common.ts'
import { sessionCookieName } from '../contract/session-cookie.ts'
import { env } from '../env.ts'
import type { ApiEnv } from '../http/app.ts'

type Api = Pick<OpenAPIHono<ApiEnv>, 'getOpenAPI31Document' | 'openAPIRegistry'>
type OpenApiDocument = ReturnType<Api['getOpenAPI31Document']>

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Builds the OpenAPI document of all routes from their schemas. */
export function buildOpenApiDocument({ openAPIRegistry, getOpenAPI31Document }: Api): OpenApiDocument {
  openAPIRegistry.register('Error', ErrorBody)
  openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a Supabase Auth session.',
  })
  openAPIRegistry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'The session in the browser. State-changing requests must come from the site or another allowed origin.',
  })
  return addErrorResponses(
    getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: `${env.appName} API`,
        version: '1',
        description:
          'Lists are arrays. If more items follow, the header `X-Next-Cursor` contains the `cursor` of the next page.',
      },
    }),
  )
}

/** Adds the error response to every operation. All errors have the same shape, so the routes need not declare it. */
function addErrorResponses(document: OpenApiDocument): OpenApiDocument {
  const error = {
    description: 'An error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of methods) {
      const operation = path[method]
      if (operation?.responses) operation.responses.default = error
    }
  }
  return document
}
