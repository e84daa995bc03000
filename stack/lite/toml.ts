/** Values of a TOML file by their dotted path, such as `auth.jwt_expiry`. */
export type Toml = Map<string, string | number | boolean | string[]>

/**
 * Reads the part of TOML that supabase/config.toml uses: tables, and keys whose value is a string, a number,
 * a boolean or a list of strings on one line. Anything else is an error rather than a guess.
 */
export function parseToml(text: string): Toml {
  const values: Toml = new Map()
  let table = ''
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const header = line.match(/^\[([\w.-]+)\]\s*(#.*)?$/)
    if (header) {
      table = `${header[1]}.`
      continue
    }
    const pair = line.match(/^([\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[\w.+-]+)\s*(#.*)?$/)
    if (!pair) throw new Error(`line ${index + 1} is not understood`)
    values.set(table + pair[1], parseValue(pair[2] ?? '', index + 1))
  }
  return values
}

function parseValue(text: string, line: number): string | number | boolean | string[] {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^[+-]?[\d_]+(\.\d+)?$/.test(text)) return Number(text.replaceAll('_', ''))
  try {
    // Basic strings, and lists of them, are written as JSON writes them.
    const value: unknown = JSON.parse(text.replace(/,\s*\]$/, ']'))
    if (typeof value === 'string') return value
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  } catch {
    // Said below.
  }
  throw new Error(`the value in line ${line} is not understood`)
}

export function textOf(toml: Toml, path: string, fallback: string): string {
  const value = toml.get(path)
  return typeof value === 'string' ? value : fallback
}

export function numberOf(toml: Toml, path: string, fallback: number): number {
  const value = toml.get(path)
  return typeof value === 'number' ? value : fallback
}
