/** A stretch of a text; `hit` where it is what was searched. */
export interface ExcerptPart {
  /** Where it begins in the text. */
  at: number
  text: string
  hit: boolean
}

/** Characters of the text that are shown before the first hit. */
const lead = 24

/**
 * A text from shortly before the first place where `query` is found, with every hit marked: without regard to case
 * and accents, as the server searches. Where nothing is found, the text from its beginning.
 */
export function highlightedExcerpt(text: string, query: string): ExcerptPart[] {
  const { folded, places } = foldWithPlaces(text)
  const wanted = foldWithPlaces(query.trim()).folded
  const hits: [number, number][] = []
  for (let at = folded.indexOf(wanted); wanted && at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    hits.push([places[at] ?? 0, places[at + wanted.length] ?? text.length])
  }
  let from = beginning(text, hits[0]?.[0] ?? 0)
  const parts: ExcerptPart[] = from > 0 ? [{ at: -1, text: '…', hit: false }] : []
  const push = (to: number, hit: boolean) => {
    if (to > from) parts.push({ at: from, text: text.slice(from, to), hit })
    from = Math.max(from, to)
  }
  for (const [start, end] of hits) {
    push(start, false)
    push(end, true)
  }
  push(text.length, false)
  return parts
}

/** Where the excerpt begins: at a word, if there is one near. */
function beginning(text: string, hit: number): number {
  if (hit <= lead) return 0
  const space = text.slice(hit - lead, hit).search(/\s\S/)
  return space < 0 ? hit : hit - lead + space + 1
}

/** A text without case and accents, and where each of its characters stands in the text. */
function foldWithPlaces(text: string): { folded: string; places: number[] } {
  let folded = ''
  const places: number[] = []
  let at = 0
  for (const sign of text) {
    const plain = sign.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    folded += plain
    for (let index = 0; index < plain.length; index += 1) places.push(at)
    at += sign.length
  }
  return { folded, places: [...places, at] }
}
