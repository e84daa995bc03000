import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/lib/paths.mjs'

// Reads the project's documents for the tests that check them.

/** A code block in a document. */
interface Block {
  /** The text after the opening fence: the language and markers such as `no-test`. */
  info: string
  text: string
  line: number
}

export interface ProjectDocument {
  path: string
  /** The document's text, with its code blocks replaced by empty lines. */
  prose: string
  blocks: Block[]
}

function readDocument(path: string): ProjectDocument {
  const prose: string[] = []
  const blocks: Block[] = []
  let fence: { indent: string; block: Block; lines: string[] } | undefined
  for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
    const match = /^(\s*)```(.*)$/.exec(line)
    prose.push(match || fence ? '' : line)
    if (fence && match) {
      fence.block.text = fence.lines.join('\n')
      fence = undefined
    } else if (fence) {
      fence.lines.push(line.startsWith(fence.indent) ? line.slice(fence.indent.length) : line)
    } else if (match) {
      const [, indent = '', info = ''] = match
      fence = { indent, block: { info: info.trim(), text: '', line: index + 1 }, lines: [] }
      blocks.push(fence.block)
    }
  }
  if (fence) throw new Error(`${path} has a code block that is not closed.`)
  return { path, prose: prose.join('\n'), blocks }
}

export const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'stack/README.md',
  'supabase/functions/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].map(readDocument)

/** Returns the document with this path. @throws if it does not exist */
export function documentAt(path: string): ProjectDocument {
  const found = documents.find((document) => document.path === path)
  if (!found) throw new Error(`${path} does not exist.`)
  return found
}

export const guides = documents.filter(({ path }) => path.startsWith('docs/guides/'))
export const installGuide = documentAt('docs/guides/install-on-a-server.md')

/** Returns each piece of inline code in a document. Code blocks are not included. */
export const inlineCode = ({ prose }: ProjectDocument) =>
  [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** Returns the text of the only block with this info string. */
export function blockOf({ path, blocks }: ProjectDocument, info: string): string {
  const found = blocks.filter((block) => block.info === info)
  if (!found[0] || found.length > 1) throw new Error(`${path} has ${found.length} blocks marked ${info}.`)
  return found[0].text
}
