/** Parses JSON. Returns undefined, which matches no schema, if the text is not JSON, and null if there is no text. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}

/**
 * Returns the fields of a value of unknown type, so that they can be checked. Returns an empty object if the value is
 * not an object.
 */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** Returns whether a value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
