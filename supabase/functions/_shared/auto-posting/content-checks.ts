import { isBlank } from '../contract/text.ts'
import { containsPhoneNumber } from './phone-number.ts'
import { isRepeat, normalizeText } from './similarity.ts'

/** The allowed length of a generated post, in characters. */
export const postLength = { min: 20, max: 600 } as const

export type CheckContext = {
  /** Words and phrases that the post must not contain. */
  bannedWords: readonly string[]
  /** The creator's recent posts and drafts, which the post must not repeat. */
  recent: readonly string[]
  /** Strings that must never be published, such as the API key. */
  secrets: readonly string[]
}

/** Matches anything that looks like a provider's API key. */
const apiKeyPattern = /\bsk-[\w-]{8,}/g

/** Replaces secrets in text and removes characters that the database cannot store. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '[removed]'), text)
    .replace(apiKeyPattern, '[removed]')
    .replace(/\0|\p{Surrogate}/gu, '')
}

const unsupportedCharacters = 'It contained unsupported characters.'

const rules: readonly [Pick<RegExp, 'test'>, string][] = [
  [/(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069\uFFFD]/u, unsupportedCharacters],
  [/https?:|www\.|[\p{L}\p{N}-]+\.\p{L}{2,}/iu, 'It contained a link.'],
  [/@/u, 'It contained a mention or an email address.'],
  [{ test: containsPhoneNumber }, 'It contained a phone number.'],
  [
    /\bas an? (?:ai|artificial|(?:large )?language|virtual|digital assistant)\b|\blanguage model\b|\bchat ?gpt\b|\bopenai\b/iu,
    'It mentioned that an AI wrote it.',
  ],
  [
    /\bI(?:['’]m| am)? ?(?:sorry|cannot|can['’]t|unable|not able)\b.{0,40}\b(?:assist|help|comply|write|create|generate|fulfil)/iu,
    'It was a refusal.',
  ],
  [
    /^(?:here(?:['’]s| is| are)\b.{0,60}:|sure[,!:]|certainly[,!:]|of course[,!:]|(?:post|draft|caption|answer)\s*:)/iu,
    'It began by introducing the post.',
  ],
  [/\[[^\]\n]{1,60}\]|\{[^}\n]{1,60}\}|<[^>\n]{1,60}>/u, 'It contained a placeholder.'],
  [/```|^#{1,6}\s|\*\*|^\s*[{[]/mu, 'It contained Markdown or JSON formatting.'],
  [/^["'“”„«‹`「].*["'“”»›`」]$/su, 'It was wrapped in quotes.'],
]

/** Scripts without spaces between words. Text in them can only be searched for substrings. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/**
 * Returns the first banned word that occurs in the text. A word matches only as a whole word, ignoring case and
 * accents; in unspaced scripts, it matches anywhere.
 */
function findBannedWord(text: string, bannedWords: readonly string[]): string | undefined {
  const normalized = ` ${normalizeText(text)} `
  return bannedWords.find((bannedWord) => {
    const word = normalizeText(bannedWord)
    // A phrase that consists only of symbols normalizes to an empty string, so it is searched for unchanged.
    if (word === '') return bannedWord.trim() !== '' && text.includes(bannedWord.trim())
    return unspacedScripts.test(word) ? normalized.includes(word) : normalized.includes(` ${word} `)
  })
}

/**
 * Returns a sentence that says why the text must not be published, or null if it may be published.
 */
export function findFault(text: string, { bannedWords, recent, secrets }: CheckContext): string | null {
  if (isBlank(text)) return 'It was empty.'
  if (/\0|\p{Surrogate}/u.test(text)) return unsupportedCharacters
  if (scrub(text, secrets) !== text) return 'It contained a secret key.'
  const { length } = [...text]
  if (length < postLength.min) return `It was shorter than ${postLength.min} characters.`
  if (length > postLength.max) return `It was longer than ${postLength.max} characters.`
  // NFKC replaces variants of characters, such as the full-width ＠.
  const normalized = text.normalize('NFKC')
  const brokenRule = rules.find(([pattern]) => pattern.test(normalized))
  if (brokenRule) return brokenRule[1]
  const bannedWord = findBannedWord(text, bannedWords)
  if (bannedWord !== undefined) return `It used the banned phrase “${bannedWord}”.`
  return isRepeat(text, recent) ? 'It repeated an earlier post.' : null
}
