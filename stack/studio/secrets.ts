const secretName =
  /pass(word|wd)|secret|salt|(^|_)token($|_)|hmac|private_key|api_key|encryption_key|(^|_)signature$|^auth_code$|^code_challenge$/i
const harmlessName = /_(counter|method|at)$/i

/** Columns with secrets whose names do not say it. */
const secretColumns: readonly string[] = [
  // The refresh token that was replaced, which is still accepted for a few seconds.
  'auth.refresh_tokens.parent',
]

/**
 * Returns whether the values of a column are secrets, such as password hashes and tokens.
 *
 * @param table the column's table with its schema; an empty string for an expression or a key
 */
export function isSecretColumn(table: string, name: string): boolean {
  return (secretName.test(name) && !harmlessName.test(name)) || secretColumns.includes(`${table}.${name}`)
}

/** Returns the index of the value that is a secret because of the key in the same row; -1 if there is none. */
export function findSecretSetting(
  columns: readonly string[],
  row: readonly ({ text: string } | null)[],
): number {
  const key = row[columns.indexOf('key')]?.text
  return key !== undefined && isSecretColumn('', key) ? columns.indexOf('value') : -1
}
