const secretName =
  /pass(word|wd)|secret|salt|(^|_)token($|_)|hmac|private_key|api_key|encryption_key|(^|_)signature$|^auth_code$|^code_challenge$/i
const harmlessName = /_(counter|method|at)$/i

/** Columns that contain secrets although `secretName` does not match their names. */
const secretColumns: readonly string[] = [
  // The previous refresh token, which is still accepted for a few seconds.
  'auth.refresh_tokens.parent',
]

/**
 * Returns whether the values of a column are secrets, such as password hashes and tokens.
 *
 * @param table the column's table with its schema; an empty string if `name` belongs to an expression or a setting
 */
export function isSecretColumn(table: string, name: string): boolean {
  return (secretName.test(name) && !harmlessName.test(name)) || secretColumns.includes(`${table}.${name}`)
}

/** Returns the index of the `value` column if the row's `key` names a secret, otherwise -1. */
export function findSecretSetting(
  columns: readonly string[],
  row: readonly ({ text: string } | null)[],
): number {
  const key = row[columns.indexOf('key')]?.text
  return key !== undefined && isSecretColumn('', key) ? columns.indexOf('value') : -1
}
