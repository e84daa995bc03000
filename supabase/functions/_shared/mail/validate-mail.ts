const maxAddressLength = 254
const maxSubjectLength = 200

/** One bare address: no separators, display name, quotes or comments. */
const bareAddress = /^[^\s@<>()[\]:;,"\\]{1,64}@[^\s@<>()[\]:;,"\\]+$/u
/** Characters that could start or hide a header line: control characters and Unicode line separators. */
const lineBreaking = /[\p{Cc}\u2028\u2029]/u

/**
 * Returns why a mail must not be sent, or null if it may be. Recipient and subject become header lines: a value that
 * could add a header or a recipient is rejected, not repaired.
 */
export function validateMail({ to, subject }: { to: string; subject: string }): string | null {
  if (to.length > maxAddressLength || lineBreaking.test(to) || !bareAddress.test(to)) {
    return 'A mail must have exactly one recipient address.'
  }
  if (subject.length > maxSubjectLength || lineBreaking.test(subject)) {
    return 'The subject of a mail must be one line of at most 200 characters.'
  }
  return null
}
