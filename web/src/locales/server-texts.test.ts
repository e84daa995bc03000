import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { serverTexts } from './server-texts'

const listed = new Set<string>(serverTexts.map(({ id }) => id))
const missing = (texts: Iterable<string>) => [...texts].filter((text) => !listed.has(text))

const contract = import.meta.glob('../../../supabase/functions/_shared/contract/*.ts', { eager: true })

/** Returns the sources in a folder of `supabase`. Comments are removed from TypeScript. */
function readSources(folder: string, extension: '.ts' | '.sql'): string[] {
  const url = new URL(`../../../supabase/${folder}/`, import.meta.url)
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension) && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(new URL(path.replaceAll('\\', '/'), url), 'utf8'))
    .map((source) =>
      extension === '.ts' ? source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '') : source,
    )
}

/** Matches a string literal of TypeScript, but not a template string. */
const stringLiteral = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")`

/** Returns the string literals that follow a match of `before`. */
function findLiterals(source: string, before = ''): string[] {
  return [...source.matchAll(new RegExp(before + stringLiteral, 'g'))].map(([, single, double]) =>
    (single ?? double ?? '').replace(/\\(.)/g, '$1'),
  )
}

/** Returns whether a string is a sentence and not a key, a name or a date format such as 'FMMonth FMDD'. */
const isSentence = (text: string) => /^(?!FM)[A-Z][\w']*,? \S/.test(text)

describe('the texts for translators', () => {
  test('include the messages of the contract', () => {
    expect(missing(collectMessages(contract))).toEqual([])
    const literals = readSources('functions/_shared/contract', '.ts').flatMap((source) =>
      findLiterals(source),
    )
    expect(missing(literals.filter(isSentence))).toEqual([])
  })

  test('include the errors of the API', () => {
    const before = [
      String.raw`\bApiError\(\s*\w+,`,
      String.raw`\b(?:notFound|paymentFailed)\(`,
      String.raw`\binvalidField\(\s*[^,()]+,`,
      String.raw`[mM]essage(?::| =| \?\?)`,
    ].join('|')
    const texts = readSources('functions/_shared', '.ts').flatMap((source) =>
      findLiterals(source, String.raw`(?:${before})\s*`),
    )
    expect(texts.length).toBeGreaterThan(80)
    expect(missing(texts.filter((text) => /^[A-Z]/.test(text)))).toEqual([])
  })

  test('include the errors of the database', () => {
    const raised = readSources('schemas', '.sql').flatMap(
      (source) => source.match(/raise exception '(?:[^']|'')*'[^;]*'PT\d{3}'[^;]*;/g) ?? [],
    )
    const texts = raised
      .flatMap((statement) => [...statement.matchAll(/'((?:[^']|'')*)'/g)])
      .map(([, text = '']) => text.replaceAll("''", "'"))
      .filter((text) => isSentence(text) && !text.includes('%'))
    expect(texts.length).toBeGreaterThan(100)
    expect(missing(texts)).toEqual([])
  })
})

test('the texts for translators contain each text once, and only texts of the server', () => {
  expect(listed.size).toBe(serverTexts.length)
  const sources = [...readSources('functions/_shared', '.ts'), ...readSources('schemas', '.sql')].join('\n')
  const messages = collectMessages(contract)
  const isInSources = (text: string) =>
    [text, text.replaceAll("'", "''"), text.replaceAll("'", "\\'")].some((form) => sources.includes(form))
  expect([...listed].filter((text) => !messages.has(text) && !isInSources(text))).toEqual([])
})

/** Sample values. Each rule of the contract rejects at least one of them. */
const samples = [undefined, null, '', 'x', 'x'.repeat(20_001), '\u200b', -1, 0.001, 1e12, [], {}]

/** Matches the messages that Zod creates for rules without a message of their own. */
const defaultMessage = /^(?:Invalid (?!email)|Too (?:big|small)|Unrecognized)/

/** Validates `samples` with every schema in `value`. Returns the messages, which contain the current limits. */
function collectMessages(
  value: unknown,
  messages = new Set<string>(),
  seen = new Set<unknown>(),
): Set<string> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return messages
  seen.add(value)
  if (!(value instanceof z.ZodType)) {
    for (const part of Object.values(value)) collectMessages(part, messages, seen)
    return messages
  }
  // Refinements and transformations are parts of other schemas, and expect a value that those have accepted.
  if (value.def.type !== 'custom' && value.def.type !== 'transform') {
    const issues = samples.flatMap((sample) => value.safeParse(sample).error?.issues ?? [])
    for (const { message } of issues) if (!defaultMessage.test(message)) messages.add(message)
  }
  return collectMessages(value.def, messages, seen)
}
