/** The values of a TOML file by dotted path, such as `auth.jwt_expiry`. */
export type Toml = Map<string, string | number | boolean | string[]>

/**
 * Parses the subset of TOML that supabase/config.toml uses: tables, and keys whose value is a string, a number, a
 * boolean or a list of strings on one line.
 *
 * @throws Error for any other syntax
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
    if (!pair) throw new Error(`cannot parse line ${index + 1}`)
    values.set(table + pair[1], parseValue(pair[2] ?? '', index + 1))
  }
  return values
}

function parseValue(text: string, line: number): string | number | boolean | string[] {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^[+-]?[\d_]+(\.\d+)?$/.test(text)) return Number(text.replaceAll('_', ''))
  try {
    // Basic strings, and lists of them, have the same syntax as in JSON.
    const value: unknown = JSON.parse(text.replace(/,\s*\]$/, ']'))
    if (typeof value === 'string') return value
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  } catch {
    // Reported below.
  }
  throw new Error(`cannot parse the value in line ${line}`)
}

export function getString(toml: Toml, path: string, fallback: string): string {
  const value = toml.get(path)
  return typeof value === 'string' ? value : fallback
}

export function getNumber(toml: Toml, path: string, fallback: number): number {
  const value = toml.get(path)
  return typeof value === 'number' ? value : fallback
}
