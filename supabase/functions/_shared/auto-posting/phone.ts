/** Seven digits or more, as phone numbers are written. */
const digits = /\d(?:(?:[\s().+/-]{0,3}|,(?=\d{3}))\d){6,}/gu

/** A time of day with a colon: no phone number has one. */
const clock = /(?<!\d)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?!\d)/gu

const day = '(?:0?[1-9]|[12]\\d|3[01])'
const month = '(?:0?[1-9]|1[0-2])'
const year = '(?:19|20)\\d\\d'
const part = '[-/.] ?'
const dates = [`${year}${part}${month}${part}${day}`, `${day}${part}${day}${part}${year}`, year]
const time = '(?:[01]?\\d|2[0-4])\\.[0-5]\\d'
const between = '\\.?(?:\\s*[-/]\\s*|\\s+|,)'
const moment = `(?:${[...dates, time].join('|')})`
/** Dates, years and times that follow each other, with a small number before or behind them, as in '6.12.2026 3 cups'. */
const moments = new RegExp(
  `^(?:\\d{1,2}${between})?${moment}(?:${between}${moment})*(?:${between}\\d{1,2})?$`,
  'u',
)

/** Before what is called, though it could be read as a date, a time or an amount. */
const called = /(?:\+|\b(?:call|cell|dial|mobile|(?:my|our) number|phone|sms|tel|text|whatsapp)\b\D{0,8})$/iu

const cents = '(?:[.,]\\d{1,2})?'
const plain = `\\d{1,4}${cents}`
/** Thousands set apart, up to ten millions: what is longer is more like a phone number than like a price. */
const grouped = `(?:\\d{1,3}[ .]\\d{3}|\\d(?:[ .]\\d{3}){2})${cents}`
const to = '\\s*[-/]\\s*'
/** One price, or from one to another that is written alike: a price and a phone number behind it are not. */
const amounts = new RegExp(
  `^(?:${grouped}|${plain}${to}${plain}|(?:\\d{1,3}|${grouped})${to}${grouped})$`,
  'u',
)
const money = /(?<![$€£¥₹])[$€£¥₹]\s?$/u
/** Behind an amount, its currency or unit; what is followed by a number is that one's. */
const ofAmount =
  /^(?:,\d{1,2})?\s?(?:[$€£¥₹°%]|(?:EUR|USD|GBP|euros?|dollars?|pounds?|[km]?g|m?l|[ckm]?m)(?!\p{L}))(?![$€£¥₹]|\s?\d)/iu
const commas = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?'
/** A number with commas between its thousands, or from one to another. */
const thousands = new RegExp(`^${commas}(?:${to}${commas})?$`, 'u')

/** A text whose digits, hyphens and marks between digits are ASCII's, without what is not seen. */
const inAscii = (text: string) =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}|\u20E3/gu, '')
    .replace(/[\p{Pd}·•_|~*]/gu, '-')
    .replace(/\p{Nd}/gu, digitOf)

/** Of each script the ten digits stand behind each other. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** Whether a phone number is in a text: so many digits that are neither dates and times nor an amount. */
export function hasPhone(text: string): boolean {
  const rest = inAscii(text).replace(clock, ';')
  return [...rest.matchAll(digits)].some(({ 0: found, index }) => {
    const before = rest.slice(0, index)
    if (called.test(before)) return true
    if (moments.test(found) || thousands.test(found)) return false
    const isAmount = money.test(before) || ofAmount.test(rest.slice(index + found.length))
    return !(isAmount && amounts.test(found))
  })
}
