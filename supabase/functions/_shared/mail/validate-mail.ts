const maxAddressLength = 254
const maxSubjectLength = 200

/** One bare address: no separators, display name, quotes or comments. */
const bareAddress = /^[^\s@<>()[\]:;,"\\]{1,64}@[^\s@<>()[\]:;,"\\]+$/u
/** Characters that could start or hide a header line: control characters and Unicode line separators. */
const lineBreakingChar = /[\p{Cc}\u2028\u2029]/u

/**
 * Returns why an email must not be sent, or null if it may be. Its recipient and subject become header lines: a value
 * that could add a header or a recipient is rejected, not repaired.
 */
export function validateMail({ to, subject }: { to: string; subject: string }): string | null {
  if (to.length > maxAddressLength || lineBreakingChar.test(to) || !bareAddress.test(to)) {
    return 'An email must have exactly one recipient address.'
  }
  if (subject.length > maxSubjectLength || lineBreakingChar.test(subject)) {
    return 'The subject of an email must be one line of at most 200 characters.'
  }
  return null
}
