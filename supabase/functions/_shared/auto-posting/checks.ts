import { isBlank } from '../contract/text.ts'
import { hasPhone } from './phone.ts'
import { plain, repeats } from './similarity.ts'

/** Characters of a post that a program writes. */
export const postLength = { min: 20, max: 600 } as const

/** What a text is held against. */
export type Against = {
  /** Words and phrases that may not be in it. */
  bannedWords: readonly string[]
  /** What was posted, or drafted, lately. */
  recent: readonly string[]
  /** What must never be shown: the key. */
  secrets: readonly string[]
}

/** Anything that looks like a key of a provider. */
const likeKey = /\bsk-[\w-]{8,}/g

/** A text without the secrets that may be in it, and without what the database cannot store. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .reduce((left, secret) => left.replaceAll(secret, '[removed]'), text)
    .replace(likeKey, '[removed]')
    .replace(/\0|\p{Surrogate}/gu, '')
}

const rules: readonly [Pick<RegExp, 'test'>, string][] = [
  [/(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069\uFFFD]/u, 'It contained characters that cannot be shown.'],
  [/https?:|www\.|[\p{L}\p{N}-]+\.\p{L}{2,}/iu, 'It contained a link.'],
  [/@/u, 'It contained a mention or an email address.'],
  [{ test: hasPhone }, 'It contained a phone number.'],
  [
    /\bas an? (?:ai|artificial|(?:large )?language|virtual|digital assistant)\b|\blanguage model\b|\bchat ?gpt\b|\bopenai\b/iu,
    'It spoke of itself as a program.',
  ],
  [
    /\bI(?:['’]m| am)? ?(?:sorry|cannot|can['’]t|unable|not able)\b.{0,40}\b(?:assist|help|comply|write|create|generate|fulfil)/iu,
    'It was a refusal.',
  ],
  [
    /^(?:here(?:['’]s| is| are)\b.{0,60}:|sure[,!:]|certainly[,!:]|of course[,!:]|(?:post|draft|caption|answer)\s*:)/iu,
    'It began with words about the post.',
  ],
  [/\[[^\]\n]{1,60}\]|\{[^}\n]{1,60}\}|<[^>\n]{1,60}>/u, 'It contained a placeholder.'],
  [/```|^#{1,6}\s|\*\*|^\s*[{[]/mu, 'It contained marks of a format.'],
  [/^["'“”„«‹`「].*["'“”»›`」]$/su, 'It stood in quotes.'],
]

/** Scripts that set no spaces between words: there a part of a text is all that can be looked for. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** The first of the banned words that is in a text, as whole words in any case and with any accents. */
function bannedIn(text: string, words: readonly string[]): string | undefined {
  const spaced = ` ${plain(text)} `
  return words.find((word) => {
    const wanted = plain(word)
    // Of signs alone nothing is left: they are looked for as they are.
    if (wanted === '') return word.trim() !== '' && text.includes(word.trim())
    return unspaced.test(wanted) ? spaced.includes(wanted) : spaced.includes(` ${wanted} `)
  })
}

/** Why a text cannot be published, in a sentence; null when nothing is wrong with it. */
export function faultOf(text: string, { bannedWords, recent, secrets }: Against): string | null {
  if (isBlank(text)) return 'It was empty.'
  if (/\p{Surrogate}/u.test(text)) return 'It contained characters that cannot be shown.'
  if (scrub(text, secrets) !== text) return 'It contained something secret.'
  const { length } = [...text]
  if (length < postLength.min) return `It was shorter than ${postLength.min} characters.`
  if (length > postLength.max) return `It was longer than ${postLength.max} characters.`
  // One spelling for what looks like another sign, as ＠ does.
  const seen = text.normalize('NFKC')
  const broken = rules.find(([sign]) => sign.test(seen))
  if (broken) return broken[1]
  const banned = bannedIn(text, bannedWords)
  if (banned !== undefined) return `It used the banned words “${banned}”.`
  return repeats(text, recent) ? 'It repeated an earlier post.' : null
}
