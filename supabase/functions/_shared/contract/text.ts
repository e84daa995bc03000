import { z } from 'zod'
import { countCharacters, limits } from './limits.ts'

/*
 * Rules for text that forms and the API check. The database makes the final decision about names
 * (`private.is_valid_display_name`, `private.is_staff_lookalike`): it also checks stacked combining marks, lookalike
 * alphabets and names that imitate staff.
 */

/** Returns whether a string is blank, that is, contains only whitespace and invisible characters. */
export const isBlank = (text: string): boolean =>
  !/[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFF0-\uFFFB]/u.test(text)

const joiningLetter =
  '[\\u0600-\\u109F\\u1780-\\u18AF\\u1A20-\\u1BFF\\uA840-\\uABFF\\uFB50-\\uFDFF\\uFE70-\\uFEFC]'
const emoji = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]'
/**
 * Invisible characters that are allowed: variation selectors after an emoji or a keycap character, and joiners between
 * emoji and between letters of joining scripts.
 */
const allowedInvisibles = [
  new RegExp(`(?<=${emoji}|[0-9#*])[\\uFE0E\\uFE0F]`, 'gu'),
  new RegExp(`(?<=${emoji})\\u200D(?=${emoji})`, 'gu'),
  new RegExp(`(?<=${joiningLetter})[\\u200C\\u200D](?=${joiningLetter})`, 'gu'),
]

/**
 * Control, format, private use, unassigned and ignorable characters, lone surrogates, line separators, replacement
 * characters, and the blank Braille pattern.
 */
const unusableCharacter =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD]/u

/** Returns whether a name contains no hidden characters and none that reorder the text around it. */
function isUsable(name: string): boolean {
  return !unusableCharacter.test(
    allowedInvisibles.reduce((text, invisible) => text.replace(invisible, ''), name),
  )
}

/** Normalizes a name: composes characters (NFC), collapses runs of spaces into one plain space, and trims the ends. */
const normalizeName = (name: string) =>
  name
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

/** Error messages for a name. */
type NameErrors = { tooShort: string; tooLong: string; unusable: string }

/** Returns a check that limits a string to `max` code points, like the database. Zod's `max()` counts UTF-16 units. */
export const maxCharacters = (max: number, message: string) =>
  z.refine<string>((text) => countCharacters(text) <= max, message)

/** The description of an image or video for users who cannot see it. */
export const altText = z
  .string()
  .trim()
  .check(
    maxCharacters(limits.altText.max, `A description can have at most ${limits.altText.max} characters.`),
  )

/** Returns a schema that validates and normalizes a single-line name. */
export function nameField({ min, max }: { min: number; max: number }, errors: NameErrors) {
  // Reports the first broken rule without aborting, so that the other fields of the form are validated too.
  const problem = (name: string) => {
    const length = countCharacters(name)
    if (length < min) return errors.tooShort
    if (length > max) return errors.tooLong
    return isUsable(name) ? null : errors.unusable
  }
  return z
    .string(errors.tooShort)
    .overwrite(normalizeName)
    .superRefine((name, context) => {
      const message = problem(name)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
}

/** Makes a field nullable: a blank string clears it, as null does. */
export const clearable = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' && isBlank(value) ? null : value), schema.nullable())

/** Makes a number nullable and accepts it as a string, as forms send it. An empty string clears it. */
export const numberField = <Schema extends z.ZodType<number>>(schema: Schema) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' && value.trim() !== '' ? Number(value) : value === '' ? null : value,
    schema.nullable(),
  )
