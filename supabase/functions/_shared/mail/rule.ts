/** Characters at most: of an address as SMTP takes it, and of a line that names what a mail is about. */
const longestAddress = 254
const longestSubject = 200

/** One bare address: nothing that separates, names, quotes or comments. */
const oneAddress = /^[^\s@<>()[\]:;,"\\]{1,64}@[^\s@<>()[\]:;,"\\]+$/u
/** What would begin a header of its own, or hide one: control characters and the line ends of Unicode. */
const unprintable = /[\p{Cc}\u2028\u2029]/u

/**
 * Why a mail must not leave, null when it may. Receiver and subject become lines of the mail's head: whatever could
 * make more of them than one line, or more than one receiver, is refused rather than mended.
 */
export function whyNotMailed({ to, subject }: { to: string; subject: string }): string | null {
  if (to.length > longestAddress || unprintable.test(to) || !oneAddress.test(to)) {
    return 'A mail goes to exactly one address.'
  }
  if (subject.length > longestSubject || unprintable.test(subject)) {
    return 'The subject of a mail is one line of at most 200 characters.'
  }
  return null
}
