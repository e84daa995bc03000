import type { Sql, TransactionSql } from 'postgres'
import type { Caller } from './caller.ts'
import { accountReadOnly, alreadyExists, noSuchBucket, noSuchKey, rateLimited } from './errors.ts'

export interface Bucket {
  id: string
  public: boolean
  file_size_limit: string | null
  allowed_mime_types: string[] | null
}

/** A row of storage.objects, with timestamps as text so that they keep their precision. */
export interface ObjectRow {
  id: string
  name: string
  bucket_id: string
  owner: string | null
  owner_id: string | null
  version: string | null
  created_at: string
  updated_at: string
  last_accessed_at: string
  metadata: Record<string, unknown> | null
  user_metadata: Record<string, unknown> | null
}

/** The values that an upload stores in the object's row. */
export interface NewObject {
  bucket: string
  name: string
  /** The user who uploads, or null for the service role and visitors. */
  owner: string | null
  /** Whether an existing object is replaced. */
  upsert: boolean
  metadata: Record<string, unknown>
  userMetadata: Record<string, unknown> | null
}

class Rollback extends Error {}

/**
 * Reads and changes the tables of Storage. The policies on these tables decide what a caller may do: `asCaller` runs
 * statements with the caller's role and claims, as on Supabase.
 */
export class StorageDatabase {
  constructor(private readonly sql: Sql) {}

  /**
   * Runs `work` in a transaction as the caller.
   *
   * @param operation the name that `storage.operation()` returns in policies
   * @throws the database error with SQLSTATE PT401 if the caller's session has ended
   */
  async asCaller<T>(
    caller: Pick<Caller, 'role' | 'claims'>,
    operation: string,
    work: (tx: TransactionSql) => Promise<T>,
  ): Promise<T> {
    const result = await this.sql.begin(async (tx) => {
      await tx`
        select set_config('role', ${caller.role}, true),
               set_config('request.jwt.claims', ${JSON.stringify(caller.claims ?? { role: 'anon' })}, true),
               set_config('storage.operation', ${operation}, true)`
      if (caller.role === 'authenticated') await tx`select private.require_session()`
      return await work(tx)
    })
    return result as T
  }

  /** Returns a bucket without checking whether the caller may see it. @throws StorageError 404 */
  async findBucket(id: string): Promise<Bucket> {
    const [bucket] = await this.sql<Bucket[]>`
      select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = ${id}`
    if (!bucket) throw noSuchBucket()
    return bucket
  }

  /**
   * Returns an object that the caller may see.
   *
   * @param isPublic whether everybody may see it, as in a public bucket
   * @throws StorageError 404
   */
  async findObject(
    caller: Caller,
    operation: string,
    bucket: string,
    name: string,
    isPublic: boolean,
  ): Promise<ObjectRow> {
    const select = (sql: Sql | TransactionSql) =>
      sql<ObjectRow[]>`
        select ${sql.unsafe(objectColumns)} from storage.objects where bucket_id = ${bucket} and name = ${name}`
    const [row] = isPublic ? await select(this.sql) : await this.asCaller(caller, operation, select)
    if (!row) throw noSuchKey()
    return row
  }

  /**
   * Checks whether the policies allow an upload: inserts its row and rolls back.
   *
   * @param isCounted whether the upload counts against the caller's rate limit, even if it is rejected
   * @throws StorageError 429 if a visitor exceeds the rate limit; the database error if a user exceeds it, if a policy
   *   rejects the upload, or if the object exists and must not be replaced
   */
  async checkUpload(caller: Caller, operation: string, object: NewObject, isCounted: boolean): Promise<void> {
    if (isCounted && caller.role === 'anon') await this.#countVisitorUpload(caller)
    let failure: unknown
    await this.asCaller(caller, operation, async (tx) => {
      if (isCounted && caller.role === 'authenticated') await tx`select private.consume_upload_limit()`
      await tx
        .savepoint(async (probe) => {
          await insertObject(probe, object, '1')
          throw new Rollback()
        })
        .catch((error) => {
          if (!(error instanceof Rollback)) failure = error
        })
    })
    if (failure) throw failure
  }

  /**
   * Stores the row of an uploaded object. Uploads of the same object wait for each other.
   *
   * @param place moves the file to its final path
   * @param alsoLocked other objects that must not change in the meantime
   * @returns the object's id
   * @throws the database error 23505 if the object exists and must not be replaced
   */
  async storeObject(
    object: NewObject,
    version: string,
    place: () => Promise<void>,
    alsoLocked: readonly [string, string][] = [],
  ): Promise<string> {
    return await this.sql.begin(async (tx) => {
      await lockObjects(tx, [[object.bucket, object.name], ...alsoLocked])
      const [row] = await tx<{ id: string }[]>`${insertObject(tx, object, version)} returning id`
      await place()
      return row?.id ?? ''
    })
  }

  /** @throws StorageError 409 if the object exists */
  async requireUnused(bucket: string, name: string): Promise<void> {
    const rows = await this.sql`select from storage.objects where bucket_id = ${bucket} and name = ${name}`
    if (rows.length > 0) throw alreadyExists()
  }

  /** Returns whether an object has the given version. */
  async hasVersion(bucket: string, name: string, version: string): Promise<boolean> {
    const rows = await this.sql`
      select from storage.objects where bucket_id = ${bucket} and name = ${name} and version = ${version}`
    return rows.length > 0
  }

  /** Calls `remove` for each name without a row. A lock keeps uploads from storing new files in the meantime. */
  async removeFilesWithoutRow(
    bucket: string,
    names: string[],
    remove: (name: string) => Promise<void>,
  ): Promise<void> {
    for (let start = 0; start < names.length; start += 100) {
      const part = names.slice(start, start + 100)
      await this.sql.begin(async (tx) => {
        await lockObjects(
          tx,
          part.map((name) => [bucket, name]),
        )
        const rows = await tx<{ name: string }[]>`
          select name from storage.objects where bucket_id = ${bucket} and name = any(${part}::text[])`
        const stored = new Set(rows.map(({ name }) => name))
        for (const name of part) if (!stored.has(name)) await remove(name)
      })
    }
  }

  /** Checks that the account that owns an upload may still write. @throws StorageError 403 */
  async requireWriter(userId: string): Promise<void> {
    const rows = await this.sql`
      select from public.accounts where user_id = ${userId} and read_only_reason is null`
    if (rows.length === 0) throw accountReadOnly()
  }

  /** Returns how many bytes the database records for a user's uploads, and the user's quota in bytes. */
  async readUsage(userId: string): Promise<{ used: number; quota: number }> {
    const claims = { sub: userId, role: 'authenticated' }
    return await this.sql.begin(async (tx) => {
      const [own] = await tx<{ bytes: string }[]>`
        select coalesce(sum((metadata ->> 'size')::bigint), 0)::text as bytes
        from storage.objects where owner_id = ${userId}`
      await tx`
        select set_config('role', 'authenticated', true),
               set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
      const [media] = await tx<{ used: string; quota: string }[]>`
        select used_bytes::text as used, quota_bytes::text as quota from private.own_storage()`
      return { used: Number(own?.bytes) + Number(media?.used), quota: Number(media?.quota) }
    })
  }

  /**
   * Returns the size limit of one object in bytes. In the `media` bucket, an incoming file can be no larger than the
   * size that the client declared to the API, because only that size counts against the quota. A file in this bucket
   * without a row in `public.media` has a limit of 0.
   *
   * @param defaultLimit the limit for all buckets, such as `500MiB`, unless a bucket's own limit is lower
   */
  async maxObjectBytes(bucket: string, name: string, defaultLimit: string): Promise<number> {
    const [row] = await this.sql<{ bytes: string }[]>`
      select (case when b.id = 'media' then coalesce((
                select least(l.bytes, case when m.incoming_path = ${name} then m.bytes end)
                from public.media m where m.path = ${name} or m.incoming_path = ${name}), 0)
              else l.bytes end)::text as bytes
      from storage.buckets b
      cross join lateral (
        select least(b.file_size_limit, pg_size_bytes(${defaultLimit.replace('iB', 'B')})) as bytes) l
      where b.id = ${bucket}`
    return Number(row?.bytes ?? 0)
  }

  /** Counts an upload against the limit of the visitor's network. Policies may allow visitors to upload. */
  async #countVisitorUpload({ network }: Caller): Promise<void> {
    await this.asCaller({ role: 'service_role', claims: null }, '', async (tx) => {
      const [row] = await tx<{ seconds: number }[]>`
        select private.consume_rate_limit('uploads', ${network}, 60, '1 hour') as seconds`
      if ((row?.seconds ?? 0) > 0) throw rateLimited()
    })
  }
}

export const objectColumns = `
  id, name, bucket_id, owner, owner_id, version, to_json(created_at) #>> '{}' as created_at,
  to_json(updated_at) #>> '{}' as updated_at, to_json(last_accessed_at) #>> '{}' as last_accessed_at,
  metadata, user_metadata`

/** Inserts or replaces an object's row. Does not use `returning`, because the caller may lack a policy for `select`. */
function insertObject(
  sql: TransactionSql,
  { bucket, name, owner, upsert, metadata, userMetadata }: NewObject,
  version: string,
) {
  const insert = sql`
    insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
    values (${bucket}, ${name}, ${owner}, ${owner}, ${version}, ${JSON.stringify(metadata)}::text::jsonb,
            ${userMetadata && JSON.stringify(userMetadata)}::text::jsonb)`
  if (!upsert) return insert
  return sql`
    ${insert}
    on conflict (bucket_id, name) do update
      set owner = excluded.owner, owner_id = excluded.owner_id, version = excluded.version,
          metadata = excluded.metadata, user_metadata = excluded.user_metadata, updated_at = now()`
}

/** Locks objects until the end of the transaction, always in the same order, to avoid deadlocks. */
export async function lockObjects(sql: TransactionSql, objects: readonly [string, string][]): Promise<void> {
  const keys = objects.map(([bucket, name]) => `storage ${bucket}/${name}`)
  await sql`
    select pg_advisory_xact_lock(key)
    from (select distinct hashtextextended(k, 0) as key from unnest(${keys}::text[]) k order by 1) keys`
}
