/** What the pages of the message measurement keep for it; times are milliseconds since 1970. */
interface Window {
  sent: number[]
  painted: { index: number; at: number }[]
}
