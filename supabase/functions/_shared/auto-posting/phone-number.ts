/** At least seven digits, with or without the separators that are common in phone numbers. */
const digitSequences = /\d(?:(?:[\s().+/-]{0,3}|,(?=\d{3}))\d){6,}/gu

/** A time of day. Its colon rules out a phone number. */
const clockTimes = /(?<!\d)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?!\d)/gu

const day = '(?:0?[1-9]|[12]\\d|3[01])'
const month = '(?:0?[1-9]|1[0-2])'
const year = '(?:19|20)\\d\\d'
const dateSeparator = '[-/.] ?'
const dates = [
  `${year}${dateSeparator}${month}${dateSeparator}${day}`,
  `${day}${dateSeparator}${day}${dateSeparator}${year}`,
  year,
]
const dottedTime = '(?:[01]?\\d|2[0-4])\\.[0-5]\\d'
const gap = '\\.?(?:\\s*[-/]\\s*|\\s+|,)'
const dateOrTime = `(?:${[...dates, dottedTime].join('|')})`
/** One or more dates, years or times, with or without a small number before or after, as in '6.12.2026 3 cups'. */
const datesAndTimes = new RegExp(
  `^(?:\\d{1,2}${gap})?${dateOrTime}(?:${gap}${dateOrTime})*(?:${gap}\\d{1,2})?$`,
  'u',
)

/**
 * A plus sign, or words that announce a phone number. The digits after such a cue count as a phone number even if they
 * could be a date, a time or an amount.
 */
const phoneCue =
  /(?:\+|\b(?:call|cell|dial|mobile|(?:my|our) number|phone|sms|tel|text|whatsapp)\b\D{0,8})$/iu

const cents = '(?:[.,]\\d{1,2})?'
const plainNumber = `\\d{1,4}${cents}`
/**
 * A number below ten million with spaces or periods as thousands separators. A longer number is more likely to be a
 * phone number than a price.
 */
const groupedNumber = `(?:\\d{1,3}[ .]\\d{3}|\\d(?:[ .]\\d{3}){2})${cents}`
const rangeSeparator = '\\s*[-/]\\s*'
/** One amount, or a range of two amounts. A price followed by a phone number does not match. */
const amounts = new RegExp(
  `^(?:${groupedNumber}|${plainNumber}${rangeSeparator}${plainNumber}|(?:\\d{1,3}|${groupedNumber})${rangeSeparator}${groupedNumber})$`,
  'u',
)
const currencyBefore = /(?<![$€£¥₹])[$€£¥₹]\s?$/u
/**
 * The currency or unit after an amount. Does not match if a number follows, because the currency or unit then belongs
 * to that number.
 */
const unitAfter =
  /^(?:,\d{1,2})?\s?(?:[$€£¥₹°%]|(?:EUR|USD|GBP|euros?|dollars?|pounds?|[km]?g|m?l|[ckm]?m)(?!\p{L}))(?![$€£¥₹]|\s?\d)/iu
const commaNumber = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?'
/** A number with commas as thousands separators, or a range of two such numbers. */
const commaNumbers = new RegExp(`^${commaNumber}(?:${rangeSeparator}${commaNumber})?$`, 'u')

/**
 * Replaces digits of all scripts with ASCII digits, and dashes and separators such as bullets and asterisks with
 * hyphens. Removes invisible characters.
 */
const toAscii = (text: string) =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}|\u20E3/gu, '')
    .replace(/[\p{Pd}·•_|~*]/gu, '-')
    .replace(/\p{Nd}/gu, toAsciiDigit)

/** Returns the ASCII digit with the same value. In Unicode, the ten digits of each script are consecutive. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/**
 * Returns whether text contains a phone number: a long enough sequence of digits that is not made up of dates, times or
 * amounts.
 */
export function containsPhoneNumber(text: string): boolean {
  const ascii = toAscii(text).replace(clockTimes, ';')
  return [...ascii.matchAll(digitSequences)].some(({ 0: digits, index }) => {
    const before = ascii.slice(0, index)
    if (phoneCue.test(before)) return true
    if (datesAndTimes.test(digits) || commaNumbers.test(digits)) return false
    const isAmount = currencyBefore.test(before) || unitAfter.test(ascii.slice(index + digits.length))
    return !(isAmount && amounts.test(digits))
  })
}
