import type { Hono } from 'hono'
import { html } from 'hono/html'
import { errorMessage } from '../../shared/errors.ts'
import { formatBytes } from '../../shared/format-bytes.ts'
import type { StudioContext } from '../context.ts'
import {
  badge,
  failureNotice,
  formatNumber,
  formatTime,
  link,
  nothing,
  pager,
  readOffset,
  renderPage,
  renderTable,
  text,
} from '../layout.ts'

const pageSize = 100

interface Bucket {
  id: string
  isPublic: boolean
  maxFileBytes: number | null
  types: string | null
  files: number
  bytes: number
}

/** An entry of Storage's listing; a folder has no ID. */
interface Entry {
  name: string
  id: string | null
  updated_at: string | null
  metadata: { size?: number; mimetype?: string } | null
}

/** Adds the pages that show buckets, folders and files. */
export function addStoragePages(app: Hono, context: StudioContext): void {
  app.get('/storage', async (c) => {
    const buckets = await context.sql<Bucket[]>`
      select b.id, b.public as "isPublic", b.file_size_limit::float8 as "maxFileBytes", array_to_string(b.allowed_mime_types, ', ') as types,
             count(o.id)::float8 as files, coalesce(sum((o.metadata ->> 'size')::float8), 0) as bytes
      from storage.buckets b left join storage.objects o on o.bucket_id = b.id group by b.id order by b.id`
    const rows = buckets.map(({ id, isPublic, maxFileBytes, types, files, bytes }) => [
      html`<a href="${folderLink(context, id, '')}">${text(id)}</a>`,
      isPublic ? badge('public', 'good') : badge('private', 'quiet'),
      html`${formatNumber(files)}`,
      html`${formatBytes(bytes)}`,
      html`${maxFileBytes === null ? '–' : formatBytes(maxFileBytes)}`,
      types === null ? nothing() : text(types),
    ])
    const columns = [
      'Bucket',
      'Access',
      { title: 'Files', isNumber: true },
      { title: 'Size', isNumber: true },
      { title: 'Largest file allowed', isNumber: true },
      { title: 'Types allowed', isLong: true },
    ]
    return c.html(
      renderPage(context, 'Storage', renderTable(columns, rows, 'There are no buckets.'), {
        section: '/storage',
      }),
    )
  })

  app.get('/storage/:bucket', async (c) => {
    const bucket = c.req.param('bucket')
    const folder = c.req.query('folder') ?? ''
    const offset = readOffset(c.req.query('offset'))
    const [exists] = await context.sql`select from storage.buckets b where b.id = ${bucket}`
    if (!exists) return c.notFound()
    const parts = folder.split('/').filter((part) => part !== '')
    const parents: [string, string][] = [[link(context, '/storage'), 'Storage']]
    for (const [index, name] of [bucket, ...parts].entries()) {
      if (index < parts.length)
        parents.push([folderLink(context, bucket, parts.slice(0, index).join('/')), name])
    }
    const title = parts.at(-1) ?? bucket
    const listing = await list(context, bucket, folder, offset)
    const options = { section: '/storage', parents }
    if ('failure' in listing)
      return c.html(renderPage(context, title, failureNotice(listing.failure), options), 404)
    const rows = listing.entries.slice(0, pageSize).map(({ name, id, updated_at, metadata }) => {
      const path = folder === '' ? name : `${folder}/${name}`
      if (id === null)
        return [
          html`<a href="${folderLink(context, bucket, path)}">${text(`${name}/`)}</a>`,
          nothing(),
          nothing(),
          nothing(),
          html``,
        ]
      const download = link(context, `/storage/${encodeURIComponent(bucket)}/file`, { name: path })
      return [
        text(name),
        text(metadata?.mimetype ?? ''),
        html`${metadata?.size === undefined ? '–' : formatBytes(metadata.size)}`,
        formatTime(updated_at),
        html`<a href="${download}" download>Download</a>`,
      ]
    })
    const content = html`
${renderTable(['Name', 'Type', { title: 'Size', isNumber: true }, 'Changed', ''], rows, 'There are no files here.')}
${pager(context, `/storage/${encodeURIComponent(bucket)}`, { folder }, offset, pageSize, listing.entries.length > pageSize)}`
    return c.html(renderPage(context, title, content, options))
  })

  app.get('/storage/:bucket/file', async (c) => {
    const bucket = c.req.param('bucket')
    const name = c.req.query('name') ?? ''
    const parts = [bucket, ...name.split('/')]
    // The request carries the secret key. With a `.` or `..` segment, it could reach another endpoint of Storage or
    // Auth.
    if (parts.includes('..') || parts.includes('.')) return c.notFound()
    const path = parts.map(encodeURIComponent).join('/')
    const response = await fetch(`${context.config.liteUrl}/storage/v1/object/${path}`, {
      headers: { apikey: context.config.secretKey },
      signal: c.req.raw.signal,
    })
    if (!response.ok) {
      await response.body?.cancel()
      return c.html(
        renderPage(
          context,
          'Storage',
          failureNotice('The file could not be read. It may have been deleted.'),
          { section: '/storage' },
        ),
        404,
      )
    }
    const length = response.headers.get('content-length')
    return new Response(response.body, {
      headers: {
        // Never displayed inline: a file could be a page with scripts.
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(name.split('/').at(-1) ?? '')}`,
        ...(length !== null && { 'content-length': length }),
      },
    })
  })
}

const folderLink = (context: StudioContext, bucket: string, folder: string): string =>
  link(context, `/storage/${encodeURIComponent(bucket)}`, { folder })

const encodeFileName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)

/** Lists a folder through Storage, which derives the folders from the names of the files. */
async function list(
  { config }: StudioContext,
  bucket: string,
  folder: string,
  offset: number,
): Promise<{ entries: Entry[] } | { failure: string }> {
  try {
    const response = await fetch(`${config.liteUrl}/storage/v1/object/list/${encodeURIComponent(bucket)}`, {
      method: 'POST',
      headers: { apikey: config.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ prefix: folder === '' ? '' : `${folder}/`, limit: pageSize + 1, offset }),
      signal: AbortSignal.timeout(10_000),
    })
    const body: unknown = await response.json()
    if (response.ok) return { entries: body as Entry[] }
    return { failure: (body as { message?: string }).message ?? 'Storage rejected the request.' }
  } catch (error) {
    return { failure: `Storage did not respond: ${errorMessage(error)}` }
  }
}
