/** The globals that message-to-screen.mjs sets in its pages. Times are in milliseconds since 1970. */
interface Window {
  sent: number[]
  painted: { index: number; at: number }[]
}
