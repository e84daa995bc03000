/** A statement of a script. */
export interface Statement {
  text: string
  /** The number of characters before the statement. */
  offset: number
  /** The first word or character after spaces and comments, in lower case. */
  keyword: string
}

/**
 * Patterns for the parts (tokens) of a script. Block comments and escape strings are read by functions instead. A
 * semicolon ends a statement unless it is inside a longer part. An unterminated string extends to the end of the
 * script.
 */
const parts = [
  String.raw`--[^\n\r]*`,
  // A doubled quote is read as the end of one string and the beginning of the next.
  `'[^']*'?`,
  `"[^"]*"?`,
  String.raw`\$(?<tag>[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$[\s\S]*?(?:\$\k<tag>\$|$)`,
  // A $ inside an identifier does not begin a dollar-quoted string.
  String.raw`[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*`,
  String.raw`\s+`,
  String.raw`[\s\S]`,
]
const part = new RegExp(parts.join('|'), 'y')

/** Splits a script into its statements. Empty statements are left out. */
export function splitStatements(script: string): Statement[] {
  const statements: Statement[] = []
  let start = 0
  let index = 0
  let offset = 0
  let keyword = ''
  const end = () => {
    const text = script.slice(start, index)
    if (keyword !== '') statements.push({ text, offset, keyword })
    offset += countCharacters(text)
    keyword = ''
  }
  while (index < script.length) {
    const next = readPart(script, index)
    if (next === ';') {
      end()
      start = index + 1
      offset += 1
    } else if (keyword === '' && next.trim() !== '' && !/^(--|\/\*)/.test(next)) keyword = next.toLowerCase()
    index += next.length
  }
  end()
  return statements
}

/** Returns a statement with its strings replaced by `'…'`. */
export function hideStrings(statement: string): string {
  let result = ''
  for (let index = 0; index < statement.length; ) {
    const next = readPart(statement, index)
    result += /^(e?'|\$.)/i.test(next) ? "'…'" : next
    index += next.length
  }
  return result
}

/** Returns the number of characters, as PostgreSQL counts them. */
const countCharacters = (text: string): number => [...text].length

/** Returns the part of a script that begins at an index. */
function readPart(script: string, index: number): string {
  const beginning = script.slice(index, index + 2)
  if (beginning === '/*') return readComment(script, index)
  if (beginning.toLowerCase() === "e'") return readEscapeString(script, index)
  part.lastIndex = index
  return part.exec(script)?.[0] ?? script.slice(index)
}

/** Returns the escape string, such as `e'\''`, that begins at an index. */
function readEscapeString(script: string, start: number): string {
  const delimiter = /\\[\s\S]|''|'/g
  delimiter.lastIndex = start + 2
  for (let match = delimiter.exec(script); match; match = delimiter.exec(script)) {
    if (match[0] === "'") return script.slice(start, delimiter.lastIndex)
  }
  return script.slice(start)
}

/** Returns the comment that begins at an index. Comments can be nested. */
function readComment(script: string, start: number): string {
  const delimiter = /\/\*|\*\//g
  delimiter.lastIndex = start
  let depth = 0
  for (let match = delimiter.exec(script); match; match = delimiter.exec(script)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return script.slice(start, delimiter.lastIndex)
  }
  return script.slice(start)
}
