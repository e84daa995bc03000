/**
 * Returns the start of a string on one line, for a title or a description: without control characters or characters
 * that reorder the surrounding text, and with an ellipsis if the string is longer than `max` characters.
 */
export function excerpt(text: string, max: number): string {
  const line = text
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
  const characters = [...line]
  if (characters.length <= max) return line
  const start = characters.slice(0, max - 1).join('')
  // Cuts the text at the end of a word if that is not far from the limit.
  const end = start.lastIndexOf(' ')
  const cut = end > start.length * 0.6 ? start.slice(0, end) : start
  // Removes the punctuation at the cut: 'slugs…', not 'slugs.…'.
  return `${cut.replace(/[\s.,;:!?…،؛؟。、！？\p{Pd}\p{Pe}\p{Pf}]+$/u, '')}…`
}
