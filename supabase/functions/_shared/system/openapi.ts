import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Handler } from 'hono'
import { ErrorBody } from '../contract/common.ts'
import { sessionCookieName } from '../contract/session-cookie.ts'
import { env } from '../env.ts'
import { requiredScopes } from '../http/access-token.ts'
import type { ApiEnv } from '../http/app.ts'

type Api = Pick<OpenAPIHono<ApiEnv>, 'getOpenAPI31Document' | 'openAPIRegistry'>
type OpenApiDocument = ReturnType<Api['getOpenAPI31Document']>

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Returns a handler that serves the OpenAPI document of all routes. The document is built and compressed once, for the
 * first request.
 */
export function openApiHandler(api: Api): Handler<ApiEnv> {
  let served: { json: string; gzipped: Uint8Array<ArrayBuffer>; etag: string } | undefined
  return (c) => {
    if (!served) {
      const json = JSON.stringify(buildOpenApiDocument(api))
      const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
      served = { json, gzipped: new Uint8Array(gzipSync(json)), etag: `W/"${hash}"` }
    }
    const { json, gzipped, etag } = served
    const headers = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304, headers)
    const contentType = { 'content-type': 'application/json' }
    if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) {
      return c.body(json, 200, { ...headers, ...contentType })
    }
    return c.body(gzipped, 200, { ...headers, ...contentType, 'content-encoding': 'gzip' })
  }
}

function buildOpenApiDocument({ openAPIRegistry, getOpenAPI31Document }: Api): OpenApiDocument {
  openAPIRegistry.register('Error', ErrorBody)
  openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a Supabase Auth session.',
  })
  openAPIRegistry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal access token (`ovp_…`), created in Settings → Developer. Operations that accept such a token list the scopes that it needs. All other operations that require authentication require a signed-in session. Each token may make 300 requests a minute.',
  })
  openAPIRegistry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      "The browser's session cookie. State-changing requests must come from the site or another allowed origin.",
  })
  return completeOperations(
    getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: `${env.appName} API`,
        version: '1',
        description:
          'Lists are arrays. If more items follow, the `X-Next-Cursor` header contains the `cursor` of the next page.',
      },
    }),
  )
}

/**
 * Adds the error response and the required access token scopes to every operation. Routes need not declare them,
 * because all errors have the same shape and the scopes follow from the method and path.
 */
function completeOperations(document: OpenApiDocument): OpenApiDocument {
  const error = {
    description: 'An error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  for (const [name, path] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = path[method]
      if (operation?.responses) operation.responses.default = error
      const scopes = requiredScopes(method, name.replace(/^\/api/, ''))
      if (operation?.security && scopes) {
        // Creates a new array, because several routes share the existing one.
        operation.security = [...operation.security, { accessToken: scopes }]
      }
    }
  }
  return document
}
