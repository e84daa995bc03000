const accents: Record<string, string> = {
  a: 'áá',
  e: 'éé',
  i: 'íí',
  o: 'óó',
  u: 'úú',
  n: 'ñ',
  c: 'ç',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
}

/** Adds accents to a text and makes it about 40% longer, to reveal untranslated texts and broken layouts. */
export function lengthen(text: string): string {
  return text.replace(/[aeiouncAEIOU]/g, (letter) => accents[letter] ?? letter)
}
