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

/** Returns a text with accents, about 40% longer, to reveal untranslated texts and layouts that longer words break. */
export function lengthen(text: string): string {
  return text.replace(/[aeiouncAEIOU]/g, (letter) => accents[letter] ?? letter)
}
