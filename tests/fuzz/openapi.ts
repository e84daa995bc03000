import { type ZodType, z } from 'zod'

/** The parts of JSON Schema that the fuzz tests use. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

type Content = Record<string, { schema?: Schema }>

interface OperationObject {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export interface Operation extends OperationObject {
  method: string
  /** The path, with its parameters in braces. */
  path: string
}

export async function readOperations(apiUrl: string): Promise<Operation[]> {
  const response = await fetch(`${apiUrl}/api/openapi.json`)
  const { paths }: { paths: Record<string, Record<string, OperationObject>> } = await response.json()
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
}

const validators = new Map<Schema, ZodType>()

/** Returns what is wrong with a response body, or null. Fields that the schema does not list are errors. */
export function findSchemaError(schema: Schema, body: unknown): string | null {
  let validator = validators.get(schema)
  if (!validator) {
    validator = z.fromJSONSchema(rejectUnknownFields(schema) as Parameters<typeof z.fromJSONSchema>[0])
    validators.set(schema, validator)
  }
  const { success, error } = validator.safeParse(body)
  return success ? null : z.prettifyError(error).slice(0, 500)
}

function rejectUnknownFields(schema: Schema): Schema {
  const result: Schema = { ...schema }
  if (schema.properties) {
    const entries = Object.entries(schema.properties)
    result.properties = Object.fromEntries(entries.map(([name, part]) => [name, rejectUnknownFields(part)]))
    result.additionalProperties ??= false
  }
  if (typeof schema.additionalProperties === 'object')
    result.additionalProperties = rejectUnknownFields(schema.additionalProperties)
  if (schema.items) result.items = rejectUnknownFields(schema.items)
  if (schema.anyOf) result.anyOf = schema.anyOf.map(rejectUnknownFields)
  if (schema.oneOf) result.oneOf = schema.oneOf.map(rejectUnknownFields)
  return result
}
