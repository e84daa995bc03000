import type { z } from 'zod'
import { featureNotEnabled, invalidRequest, tooLarge } from './errors.ts'
import { readBody } from './upload-body.ts'

const maxJsonBytes = 1024 * 1024

/** Reads a small JSON body. @throws StorageError 400, 409, 413 */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of readBody(request.body ?? [])) {
    size += chunk.length
    if (size > maxJsonBytes) throw tooLarge('request')
    chunks.push(chunk)
  }
  let value: unknown
  try {
    value = JSON.parse(await new Blob(chunks).text())
  } catch {
    throw invalidRequest('The body must be JSON.')
  }
  if (typeof value === 'object' && value !== null && ('versionId' in value || 'sourceVersionId' in value)) {
    throw versionsNotEnabled()
  }
  return parseInput(schema, value)
}

/** @throws StorageError 400 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw invalidRequest(`${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is invalid'}`.trim())
}

export const versionsNotEnabled = () =>
  featureNotEnabled('Object versions are not available in the embedded stack.')
