import { i18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { create } from 'zustand'

/** The languages of the app, each with its name in that language. */
export const languages = { en: 'English', es: 'Español' } as const
export type Language = keyof typeof languages

/** Generated from English to test layouts. `en-XA` has longer words with accents. `ar-XB` is also right to left. */
type PseudoLanguage = 'en-XA' | 'ar-XB'
type AnyLanguage = Language | PseudoLanguage

/** The English texts are in the code. The other catalogs are loaded when they are needed. */
const catalogs: Partial<Record<AnyLanguage, () => Promise<{ messages: Messages }>>> = {
  es: () => import('./es.po'),
}

/** `public/boot.js` reads this key too. */
export const languageKey = 'ovation-language'

const isLanguage = (value: string): value is Language => Object.hasOwn(languages, value)
const isPseudoLanguage = (value: string): value is PseudoLanguage => value === 'en-XA' || value === 'ar-XB'

/** Returns the language that the user has chosen in this browser, or null if the app follows the browser. */
function storedLanguage(): AnyLanguage | null {
  try {
    const value = localStorage.getItem(languageKey) ?? ''
    return isLanguage(value) || isPseudoLanguage(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the first of the browser's languages that the app supports, or English. */
function browserLanguage(): Language {
  return navigator.languages.map(baseLanguage).find(isLanguage) ?? 'en'
}

/** Returns 'es' for 'es-MX'. */
const baseLanguage = (locale: string) => locale.split('-', 1)[0] ?? locale

/** Returns the locales for numbers and dates: the browser's variants of the language, such as 'en-GB', come first. */
function formatLocales(language: AnyLanguage): string[] {
  if (isPseudoLanguage(language)) return ['en']
  const variants = navigator.languages.filter((locale) => baseLanguage(locale) === language)
  return [...variants.filter(isValidLocale), language]
}

/** Returns false for a tag such as 'en-US@posix', which some systems report and `Intl` rejects. */
function isValidLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1
  } catch {
    return false
  }
}

// Lingui decodes escape sequences in a text after filling in its values, and `<Trans>` parses tags in it. The values
// are escaped so that neither affects what users have written.
const backslashStandIn = '\uE000'
const wordJoiner = '\u2060' // Invisible. After '<' it keeps the text from being parsed as a tag.

type Values = Record<string, unknown>
const mapStrings = (values: Values | undefined, map: (text: string) => string): Values | undefined =>
  values &&
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? map(value) : value]),
  )
const hideBackslashes = (text: string) => text.replaceAll('\\', backslashStandIn)
// `<Trans>` replaces elements among the values with placeholders such as `<0/>`, which must stay intact.
const breakTags = (text: string) => (/^<\d+\/>$/.test(text) ? text : text.replaceAll('<', `<${wordJoiner}`))

const translate = i18n._.bind(i18n)
// `t` passes a descriptor, and `<Trans>` passes an id and values.
i18n._ = (message: string | MessageDescriptor, values?: Values, options?: MessageOptions): string => {
  const text =
    typeof message === 'string'
      ? translate(
          message,
          mapStrings(values, (text) => breakTags(hideBackslashes(text))),
          options,
        )
      : translate({ ...message, values: mapStrings(message.values, hideBackslashes) })
  return text.includes(backslashStandIn) ? text.replaceAll(backslashStandIn, '\\') : text
}

/** The compiled messages, by text. English messages are compiled when they are first shown. */
const compiled = new Map<string, ReturnType<typeof compileMessage>>()

function setCompiler(mapText?: (text: string) => string): void {
  compiled.clear()
  i18n.setMessagesCompiler((message) => {
    const cached = compiled.get(message)
    if (cached) return cached
    const result = compileMessage(message, mapText)
    compiled.set(message, result)
    return result
  })
}

/** The number of activations started so far. A newer activation supersedes older ones. */
let activations = 0

/** Activates a language. Returns false if another one was chosen while its catalog was loading. */
async function activate(language: AnyLanguage): Promise<boolean> {
  activations += 1
  const activation = activations
  const [catalog, pseudo] = await Promise.all([
    catalogs[language]?.(),
    isPseudoLanguage(language) ? import('./pseudo') : undefined,
  ])
  if (activation !== activations) return false
  setCompiler(pseudo?.lengthen)
  i18n.load(language, catalog?.messages ?? {})
  i18n.activate(language, formatLocales(language))
  const root = document.documentElement
  root.lang = language
  root.dir = language === 'ar-XB' ? 'rtl' : 'ltr'
  return true
}

/** Activates the initial language before the app is rendered. Falls back to English if the catalog fails to load. */
export async function activateInitialLanguage(): Promise<void> {
  try {
    await activate(storedLanguage() ?? browserLanguage())
  } catch {
    await activate('en')
    // Selects English. If the failed language stayed selected, the user could not choose it again. A stored choice
    // remains for the next visit.
    useLanguage.setState({ selected: 'en' })
  }
}

/** The selected language. `selected` is null while the app follows the browser. */
export const useLanguage = create<{ selected: AnyLanguage | null }>(() => ({ selected: storedLanguage() }))

/**
 * Changes the language of the app in this browser. Remounts the app (see `App`), so its components lose their state.
 *
 * @param language null to follow the browser
 * @throws if the catalog cannot be loaded; the language does not change in that case
 */
export async function setLanguage(language: Language | null): Promise<void> {
  if (!(await activate(language ?? browserLanguage()))) return
  try {
    if (language) localStorage.setItem(languageKey, language)
    else localStorage.removeItem(languageKey)
  } catch {
    // Storage is unavailable: the language lasts until the page is reloaded.
  }
  useLanguage.setState({ selected: language })
}
