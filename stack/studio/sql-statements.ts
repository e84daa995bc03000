/** A statement of a script. */
export interface Statement {
  text: string
  /** The number of characters before it. */
  offset: number
}

/** The parts of a script in which a semicolon does not end a statement; unterminated ones extend to the end. */
const parts = [
  String.raw`--[^\n\r]*`,
  String.raw`[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)`,
  `'(?:[^']|'')*(?:'|$)`,
  `"(?:[^"]|"")*(?:"|$)`,
  String.raw`\$(?<tag>[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$[\s\S]*?(?:\$\k<tag>\$|$)`,
  // A name may contain $, which then begins no quotation.
  String.raw`[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*`,
  String.raw`\s+`,
  String.raw`[\s\S]`,
]
const part = new RegExp(parts.join('|'), 'y')

/** Splits a script at its semicolons. Parts without a statement are left out. */
export function splitStatements(script: string): Statement[] {
  const statements: Statement[] = []
  let start = 0
  let index = 0
  const end = () => {
    const text = script.slice(start, index)
    if (leadingKeyword(text) !== '') statements.push({ text, offset: [...script.slice(0, start)].length })
  }
  while (index < script.length) {
    const next = readPart(script, index)
    if (next === ';') {
      end()
      start = index + 1
    }
    index += next.length
  }
  end()
  return statements
}

/** Returns the first word or character of a statement in lower case, after spaces and comments. */
export function leadingKeyword(text: string): string {
  let index = 0
  while (index < text.length) {
    const next = readPart(text, index)
    if (next.trim() !== '' && !next.startsWith('--') && !next.startsWith('/*')) return next.toLowerCase()
    index += next.length
  }
  return ''
}

/** Returns the part of a script that begins at an index. */
function readPart(script: string, index: number): string {
  if (script.startsWith('/*', index)) return readComment(script, index)
  part.lastIndex = index
  return part.exec(script)?.[0] ?? script.slice(index)
}

/** Returns the comment that begins at an index. Comments may contain comments. */
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
