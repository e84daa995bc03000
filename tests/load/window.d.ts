/** The globals of the pages in the message measurement. Times are in milliseconds since 1970. */
interface Window {
  sent: number[]
  painted: { index: number; at: number }[]
}
