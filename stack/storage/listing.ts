import { Buffer } from 'node:buffer'
import type { TransactionSql } from 'postgres'
import { z } from 'zod'
import { invalidRequest } from './errors.ts'

const order = z.enum(['asc', 'desc']).default('asc')
const limit = z.number().int().min(1)

export const ListRequest = z.object({
  prefix: z.string(),
  limit: limit.default(100),
  offset: z.number().int().min(0).default(0),
  search: z.string().default(''),
  sortBy: z
    .object({ column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']), order })
    .default({ column: 'name', order: 'asc' }),
})

export const ListV2Request = z.object({
  prefix: z.string().default(''),
  limit: limit.default(1000),
  cursor: z.string().optional(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({ column: z.enum(['name', 'updated_at', 'created_at']), order })
    .default({ column: 'name', order: 'asc' }),
})

const maxRows = 1000

/**
 * Lists a folder's subfolders, and then its files. Includes only what the caller may see. Folders exist only as parts
 * of object names.
 */
export async function listFolder(
  tx: TransactionSql,
  bucket: string,
  { prefix, limit: rows, offset, search, sortBy }: z.infer<typeof ListRequest>,
) {
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  const direction = tx.unsafe(sortBy.order)
  return await tx`
    with files as (
      select o.*, substr(o.name, length(${folder}::text) + 1) as path
      from storage.objects o
      where o.bucket_id = ${bucket} and starts_with(o.name, ${folder})
        and starts_with(lower(substr(o.name, length(${folder}::text) + 1)), lower(${search}::text))
    ), entries as (
      select distinct split_part(path, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
        null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
      from files where position('/' in path) > 0
      union all
      select path, id, updated_at, created_at, last_accessed_at, metadata
      from files where position('/' in path) = 0 and path <> ''
    )
    select name, id, to_json(updated_at) #>> '{}' as updated_at, to_json(created_at) #>> '{}' as created_at,
      to_json(last_accessed_at) #>> '{}' as last_accessed_at, metadata
    from entries
    order by (id is not null), ${tx.unsafe(`entries.${sortBy.column}`)} ${direction}, entries.name collate "C" ${direction}
    limit ${Math.min(rows, maxRows)} offset ${offset}`
}

const Cursor = z.object({
  name: z.string(),
  at: z.string().nullable(),
  column: z.string(),
  order: z.string(),
})

/**
 * Lists the objects whose names begin with a prefix. With a delimiter, lists folders instead of their contents. The
 * cursor contains the position of the page's last entry, so the next page stays correct when objects are added.
 */
export async function listObjects(
  tx: TransactionSql,
  bucket: string,
  { prefix, limit: rows, cursor, with_delimiter: groups, sortBy }: z.infer<typeof ListV2Request>,
) {
  const pageSize = Math.min(rows, maxRows)
  const { column, order: direction } = sortBy
  const after = cursor === undefined ? null : readCursor(cursor, column, direction)
  const compare = tx.unsafe(direction === 'asc' ? '>' : '<')
  const byTime = column !== 'name'
  const time = tx.unsafe(byTime ? `entries.${column}` : 'null::timestamptz')
  const entries = await tx`
    with files as (
      select o.*, substr(o.name, length(${prefix}::text) + 1) as path
      from storage.objects o where o.bucket_id = ${bucket} and starts_with(o.name, ${prefix})
    ), entries as (
      select ${prefix}::text || split_part(path, '/', 1) || '/' as name, null::uuid as id,
        min(updated_at) as updated_at, min(created_at) as created_at,
        null::timestamptz as last_accessed_at, null::jsonb as metadata
      from files where ${groups} and position('/' in path) > 0 group by 1
      union all
      select name, id, updated_at, created_at, last_accessed_at, metadata
      from files where not (${groups} and position('/' in path) > 0)
    )
    select name, id, to_json(updated_at) #>> '{}' as updated_at, to_json(created_at) #>> '{}' as created_at,
      to_json(last_accessed_at) #>> '{}' as last_accessed_at, metadata, ${time}::text as position
    from entries
    where ${after === null}
      or ${
        byTime
          ? tx`(${time}, name collate "C") ${compare} (${after?.at ?? null}::timestamptz, ${after?.name ?? ''})`
          : tx`name collate "C" ${compare} ${after?.name ?? ''}`
      }
    order by ${time} ${tx.unsafe(direction)}, name collate "C" ${tx.unsafe(direction)}
    limit ${pageSize + 1}`
  const hasNext = entries.length > pageSize
  const page = entries.slice(0, pageSize)
  const last = page.at(-1)
  const next = hasNext && last ? { name: last.name, at: last.position, column, order: direction } : null
  const keyOf = (name: string) => name.replace(/\/$/, '').split('/').at(-1) ?? ''
  return {
    hasNext,
    ...(next ? { nextCursor: Buffer.from(JSON.stringify(next)).toString('base64url') } : {}),
    folders: page.filter(({ id }) => id === null).map(({ name }) => ({ key: keyOf(name), name })),
    objects: page
      .filter(({ id }) => id !== null)
      .map(({ position: _position, ...object }) => ({
        ...(groups ? { key: keyOf(object.name) } : {}),
        ...object,
      })),
  }
}

function readCursor(text: string, column: string, direction: string): z.infer<typeof Cursor> {
  try {
    const cursor = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    if (cursor.column === column && cursor.order === direction) return cursor
  } catch {
    // Reported below.
  }
  throw invalidRequest('The cursor is not valid for this list.')
}
