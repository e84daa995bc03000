const maxAddressLength = 254
const maxSubjectLength = 200
const maxHeaderLength = 500

/** One bare address: no separators, display name, quotes or comments. */
const bareAddress = /^[^\s@<>()[\]:;,"\\]{1,64}@[^\s@<>()[\]:;,"\\]+$/u
/** Characters that could start or hide a header line: control characters and Unicode line separators. */
const lineBreakingChar = /[\p{Cc}\u2028\u2029]/u

/** The optional headers of an email. */
const allowedHeaders = new Set(['List-Unsubscribe', 'List-Unsubscribe-Post'])

/**
 * Returns why an email must not be sent, or null if it may be sent. The recipient, the subject and the headers become
 * header lines, so a value that could add a header or a recipient is rejected, not sanitized.
 */
export function validateMail({
  to,
  subject,
  headers = {},
}: {
  to: string
  subject: string
  headers?: Record<string, string>
}): string | null {
  if (to.length > maxAddressLength || lineBreakingChar.test(to) || !bareAddress.test(to)) {
    return 'An email must have exactly one valid recipient address.'
  }
  if (subject.length > maxSubjectLength || lineBreakingChar.test(subject)) {
    return 'The subject of an email must be one line of at most 200 characters.'
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!allowedHeaders.has(name) || value.length > maxHeaderLength || lineBreakingChar.test(value)) {
      return 'An email may only have the headers List-Unsubscribe and List-Unsubscribe-Post, each one line of at most 500 characters.'
    }
  }
  return null
}
