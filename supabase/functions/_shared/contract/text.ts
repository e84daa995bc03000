import { z } from 'zod'

/*
 * What a name may be made of. The database has the last word (`private.is_presentable_name`, `private.is_house_name`)
 * with the same classes of signs; here a form can say it while somebody types.
 */

/** Signs of scripts that join, and pictures: the invisible joiners may stand between two of a kind. */
const joining = '[\\u0600-\\u109F\\u1780-\\u18AF\\u1A20-\\u1BFF\\uA840-\\uABFF\\uFB50-\\uFDFF\\uFE70-\\uFEFC]'
const picture =
  '[\\u00A9\\u00AE\\u203C\\u2049\\u2122\\u2139\\u2190-\\u21FF\\u2300-\\u23FF\\u24C2\\u25AA-\\u25FE' +
  '\\u2600-\\u27BF\\u2934\\u2935\\u2B00-\\u2BFF\\u3030\\u303D\\u3297\\u3299\\u{1F000}-\\u{1FAFF}]'
const invisibleInPlace = [
  new RegExp(`(?<=${picture}|[0-9#*])[\\uFE0E\\uFE0F]`, 'gu'),
  new RegExp(`(?<=${picture})\\u200D(?=${picture})`, 'gu'),
  new RegExp(`(?<=${joining})[\\u200C\\u200D](?=${joining})`, 'gu'),
]

/** Controls, formats, line separators, private use, unassigned, whatever is ignorable, and blanks in disguise. */
const unusable =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD]/u
/** Four marks on one letter that take no room of their own; no script needs them. */
const piledUp = /[\p{Mn}\p{Me}]{4}/u
const letterOrDigit = /[\p{Alphabetic}0-9\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]/u

/** Alphabets with letters that look like those of another one: Latin, Greek, Cyrillic and rarer ones. */
const alphabets = [
  /[A-Za-z\u00AA\u00BA\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1DBF\u1E00-\u1EFF\u2C60-\u2C7F\uA722-\uA7FF\uAB30-\uAB6F\uFB00-\uFB06\uFF21-\uFF3A\uFF41-\uFF5A]/u,
  /[\u0370-\u03FF\u1F00-\u1FFF]/u,
  /[\u0400-\u0482\u048A-\u052F\u1C80-\u1C8F\uA640-\uA66E\uA680-\uA69D]/u,
  /[\u0531-\u0588\uFB13-\uFB17]/u,
  /[\u10A0-\u10FF\u1C90-\u1CBF\u2D00-\u2D2F]/u,
  /[\u13A0-\u13FF\uAB70-\uABBF]/u,
  /[\u1400-\u167F]/u,
  /[\u16A0-\u16FF]/u,
  /[\u2C00-\u2C5F]/u,
  /[\u2C80-\u2CFF]/u,
  /[\u2D30-\u2D7F]/u,
  /[\uA4D0-\uA4FF]/u,
  /[\u{10300}-\u{1034F}]/u,
  /[\u{10400}-\u{1044F}]/u,
  /[\u{104B0}-\u{104FF}]/u,
]
const betweenWords = /[ \u2010-\u2015/,.:;()&+|\u00B7\u2022-]+/u

const mixesAlphabets = (word: string) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1

function isPresentable(name: string): boolean {
  const visible = invisibleInPlace.reduce((text, invisible) => text.replace(invisible, ''), name)
  return (
    !unusable.test(visible) &&
    !piledUp.test(visible) &&
    letterOrDigit.test(visible) &&
    !visible.split(betweenWords).some(mixesAlphabets)
  )
}

/** Reads `from` as `to`, sign by sign. */
const reading = (from: string, to: string) => {
  const signs = [...to]
  const read = new Map([...from].map((sign, at) => [sign, signs[at] ?? '']))
  return (text: string) => [...text].map((sign) => read.get(sign) ?? sign).join('')
}
const asLatin = reading(
  'авекмнорстухѕіјһӏԁԛԝѵпıłøđɑɡᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ',
  'abekmhopctyxsijhldqwvnilodagabcdefghijklmnoprstuvwyz',
)
const digitsAsLetters = reading('0123456789l', 'oizeas6tbgi')

/** Signs that look alike become one. */
const skeletonOf = (name: string) =>
  digitsAsLetters(name.toLowerCase().replaceAll('_', '').replaceAll('rn', 'm').replaceAll('vv', 'w'))

/** Words that only the house may call itself by; a name made of nothing else, one of them strong, is the house's. */
const houseWords = new RegExp(
  skeletonOf(
    '^(the|a|and|of|at|your|ovation|admins?|administrators?|administration|moderators?|moderation|mods?|support|staff' +
      '|team|officials?|help|helpdesk|desk|helpers?|customers?|clients?|services?|system|sysadmin|security|billing' +
      '|payments?|payouts?|accounts?|trust|safety|care|cent(er|re)|app|hq|news|alerts?|notifications?|verified' +
      '|verification|verify|bot|ceo|founder|owner|legal|community|managers?|inc|llc)+$',
  ),
)
const strongWords = new RegExp(
  skeletonOf(
    '(ovation|admin|moderator|support|staff|official|system|helpdesk|helpcent|customerservice|customercare)',
  ),
)

function isOfTheHouse(name: string): boolean {
  const folded = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
  const glance = skeletonOf(asLatin(folded).replace(/[^\p{Alphabetic}0-9]/gu, ''))
  return houseWords.test(glance) && strongWords.test(glance)
}

/** One spelling for what looks the same: composed letters, plain single spaces, none at the ends. */
const tidy = (name: string) =>
  name
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

/**
 * A person's name, tidied. Lengths are in characters as Unicode counts them.
 *
 * @param label how the field is called in what its reader is told
 */
export function personName(label: string, { min, max }: { min: number; max: number }) {
  const tooShort = `${label} must be at least ${min} characters`
  // The first rule broken, and no stop for the form: its other fields are to be judged as well.
  const problem = (name: string) => {
    const { length } = [...name]
    if (length < min) return tooShort
    if (length > max) return `${label} must be at most ${max} characters`
    if (!isPresentable(name)) return `${label} contains characters that cannot be used`
    return isOfTheHouse(name) ? 'This name is reserved' : null
  }
  return z
    .string(tooShort)
    .overwrite(tidy)
    .superRefine((name, context) => {
      const message = problem(name)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
}
