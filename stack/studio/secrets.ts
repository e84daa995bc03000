const secretName =
  /pass(word|wd)|secret|salt|(^|_)token($|_)|hmac|private_key|api_key|encryption_key|^auth_code$|^code_challenge$/i
const harmlessName = /_(counter|method|at)$/i

/** Returns whether the values of a column are secrets, such as password hashes and tokens, judging by its name. */
export function isSecretColumn(name: string): boolean {
  return secretName.test(name) && !harmlessName.test(name)
}

/** Returns the index of the value that is a secret because of the key in the same row; -1 if there is none. */
export function findSecretSetting(
  columns: readonly string[],
  row: readonly ({ text: string } | null)[],
): number {
  const key = row[columns.indexOf('key')]?.text
  return key !== undefined && isSecretColumn(key) ? columns.indexOf('value') : -1
}
