import { z } from 'zod'

/*
 * What a name may be made of, as far as a form can say it while somebody types. The database has the last word
 * (`private.is_presentable_name`, `private.is_house_name`): it also knows marks that pile up, alphabets that look
 * alike, and names that pose as the house.
 */

/** Whether a text shows nothing: blanks, and what is as invisible as they are. */
export const isBlank = (text: string): boolean =>
  !/[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFF0-\uFFFB]/u.test(text)

/** Signs of scripts that join, and pictures: the invisible joiners may stand between two of a kind. */
const joining = '[\\u0600-\\u109F\\u1780-\\u18AF\\u1A20-\\u1BFF\\uA840-\\uABFF\\uFB50-\\uFDFF\\uFE70-\\uFEFC]'
const picture = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]'
const invisibleInPlace = [
  new RegExp(`(?<=${picture}|[0-9#*])[\\uFE0E\\uFE0F]`, 'gu'),
  new RegExp(`(?<=${picture})\\u200D(?=${picture})`, 'gu'),
  new RegExp(`(?<=${joining})[\\u200C\\u200D](?=${joining})`, 'gu'),
]

/** Controls, formats, line separators, private use, unassigned, whatever is ignorable, and blanks in disguise. */
const unusable =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD]/u

/** Invisible signs, other than in their place, hide in a name or steer what stands around it. */
function isVisible(name: string): boolean {
  return !unusable.test(invisibleInPlace.reduce((text, invisible) => text.replace(invisible, ''), name))
}

/** One spelling for what looks the same: composed letters, plain single spaces, none at the ends. */
const tidy = (name: string) =>
  name
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

/** What is told of a name that cannot be used. */
type NameTexts = { tooShort: string; tooLong: string; unusable: string }

/** A person's name, or another line that stands among others', tidied. Lengths are in characters as Unicode counts them. */
export function personName({ min, max }: { min: number; max: number }, texts: NameTexts) {
  // The first rule broken, and no stop for the form: its other fields are to be judged as well.
  const problem = (name: string) => {
    const { length } = [...name]
    if (length < min) return texts.tooShort
    if (length > max) return texts.tooLong
    return isVisible(name) ? null : texts.unusable
  }
  return z
    .string(texts.tooShort)
    .overwrite(tidy)
    .superRefine((name, context) => {
      const message = problem(name)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
}

/** A field that may be left out: a text that shows nothing clears it, as `null` does. */
export const clearable = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' && isBlank(value) ? null : value), schema.nullable())
