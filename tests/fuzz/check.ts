import { ErrorBody } from '@contract/common.ts'
import type { RawResponse } from '../stack/raw-request.ts'
import type { FuzzRequest } from './generate.ts'
import { findSchemaError } from './openapi.ts'

const StrictErrorBody = ErrorBody.strict()

/** Matches text that appears only in internal error messages. */
const internals =
  /\bat \S+ \(?(file|npm|node|ext):|\/_shared\/|node_modules|postgres(ql)?:\/\/|SQLSTATE|private\.\w+\(/

/**
 * Returns what is wrong with a response, or null.
 *
 * @param secrets strings that no response may contain
 */
export function findResponseError(
  { operation, method, path, reachesOperation }: FuzzRequest,
  { status, headers, body }: RawResponse,
  secrets: readonly string[],
): string | null {
  const documented = operation.responses[String(status)]
  if (status >= 500 && !(reachesOperation && documented)) return `status ${status}: ${body.slice(0, 300)}`
  if (!headers['x-request-id']) return `status ${status} without X-Request-Id`
  if (secrets.some((secret) => body.includes(secret))) return `status ${status} contains a secret`
  if (internals.test(body)) return `status ${status} contains internals: ${internals.exec(body)?.[0]}`
  if (method === 'HEAD') return null
  const isJson = String(headers['content-type']).startsWith('application/json')
  if (status >= 400 && !documented) {
    // Outside the API, a 404 response may be an HTML page.
    if (!isJson && status === 404 && !path.startsWith('/api')) return null
    if (!isJson)
      return `status ${status} with the content type ${headers['content-type']}: ${body.slice(0, 200)}`
    const { success, error } = StrictErrorBody.safeParse(parse(body))
    return success
      ? null
      : `status ${status} with an unexpected body (${error.message.slice(0, 200)}): ${body.slice(0, 200)}`
  }
  if (!reachesOperation) return null
  if (!documented) return `status ${status} is not documented`
  const schema = documented.content?.['application/json']?.schema
  if (!schema) return status === 204 && body !== '' ? `status 204 with a body: ${body.slice(0, 200)}` : null
  if (!isJson) return `status ${status} with the content type ${headers['content-type']}`
  const problem = findSchemaError(schema, parse(body))
  return problem === null ? null : `status ${status} does not match the OpenAPI document: ${problem}`
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
