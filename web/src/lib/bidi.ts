/** Marks, embeddings, overrides and isolates: the characters that steer how text of both directions is ordered. */
const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text that cannot reorder what stands around it, for titles and labels, which have no markup to hold it. */
export function withoutBidiControls(text: string): string {
  return text.replace(controls, '')
}

/** A name or a quotation within a sentence of ours that is plain text; where there is markup, use `<bdi>`. */
export function isolateBidi(text: string): string {
  return `\u2068${withoutBidiControls(text)}\u2069`
}
