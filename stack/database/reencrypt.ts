import postgres from 'postgres'
import {
  decrypt,
  type EncryptionContext,
  type EncryptionKeys,
  encrypt,
  encryptedPrefix,
} from '../../supabase/functions/_shared/encryption.ts'

/** A `secret` column with encrypted values. */
interface EncryptedColumn {
  table: string
  /** The primary key and its type. */
  id: string
  idType: 'uuid' | 'boolean'
  /** An SQL expression for the owner of the row `t`. */
  owner: string
  purpose: EncryptionContext['purpose']
}

/** Every column with encrypted values. */
const columns: EncryptedColumn[] = [
  {
    table: 'private.payout_method_details',
    id: 'method_id',
    idType: 'uuid',
    owner: '(select m.user_id from public.payout_methods m where m.id = t.method_id)',
    purpose: 'payout-details',
  },
  {
    table: 'private.payout_destinations',
    id: 'payout_id',
    idType: 'uuid',
    owner: '(select p.user_id from public.payouts p where p.id = t.payout_id)',
    purpose: 'payout-details',
  },
  { table: 'private.ai_key', id: 'one', idType: 'boolean', owner: "'instance'", purpose: 'ai-key' },
]

const batchSize = 500
const maxPasses = 10

interface Counts {
  reencrypted: number
  /** Values that none of the keys can decrypt. They are left unchanged. */
  unreadable: number
}

/**
 * Encrypts every stored value with the current key. Each batch is committed separately, and values that are encrypted
 * with the current key are skipped, so a run continues where an interrupted one stopped. A run is safe while the edge
 * functions read and write values, and while another run is in progress.
 *
 * @param url the database URL of a role that owns the tables
 */
export async function reencryptDatabase(url: string, keys: EncryptionKeys): Promise<Counts> {
  const sql = postgres(url, { max: 2, connect_timeout: 10, prepare: false, onnotice: () => undefined })
  try {
    let reencrypted = 0
    for (let passes = 0; passes < maxPasses; passes++) {
      const pass: Counts = { reencrypted: 0, unreadable: 0 }
      for (const column of columns) await reencryptColumn(sql, column, keys, pass)
      reencrypted += pass.reencrypted
      // Another pass follows if this one changed a value: a program may have written a value with a previous key after
      // its row was read.
      if (pass.reencrypted === 0) return { reencrypted, unreadable: pass.unreadable }
    }
    throw new Error(
      'values are still being encrypted with another key. Check that all programs use the same ENCRYPTION_KEY.',
    )
  } finally {
    await sql.end({ timeout: 2 })
  }
}

async function reencryptColumn(
  sql: postgres.Sql,
  { table, id, idType, owner, purpose }: EncryptedColumn,
  keys: EncryptionKeys,
  counts: Counts,
): Promise<void> {
  const outdated = sql.unsafe<{ id: string; owner: string; secret: string }[]>(
    `select t.${id}::text as id, ${owner}::text as owner, t.secret from ${table} t
     where not starts_with(t.secret, $1)`,
    [await encryptedPrefix(keys[0])],
  )
  for await (const rows of outdated.cursor(batchSize)) {
    const values = await Promise.all(
      rows.map(async (row) => {
        const context = { keys, purpose, owner: row.owner }
        const text = await decrypt(row.secret, context).catch(() => null)
        return text === null ? null : { ...row, encrypted: await encrypt(text, context) }
      }),
    )
    const readable = values.filter((value) => value !== null)
    counts.unreadable += values.length - readable.length
    // The comparison with the old value avoids overwriting a change that was made after the row was read.
    const { count } = await sql.unsafe(
      `update ${table} t set secret = v.encrypted
       from jsonb_to_recordset($1::text::jsonb) as v (id text, secret text, encrypted text)
       where t.${id} = v.id::${idType} and t.secret = v.secret`,
      [JSON.stringify(readable)],
    )
    counts.reencrypted += count
  }
}
