import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { formatBytes } from '../shared/format-bytes.ts'

/** The part of `StudioContext` that the page layout needs. */
interface PageContext {
  config: { appName: string }
  basePath: string
  formToken: string
}

/** Escaped HTML. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

const sections = [
  ['/', 'Overview'],
  ['/sql', 'SQL'],
  ['/tables', 'Tables'],
  ['/users', 'Users'],
  ['/storage', 'Storage'],
  ['/logs', 'Logs'],
  ['/jobs', 'Jobs'],
  ['/queries', 'Slow queries'],
] as const

export interface PageOptions {
  /** The path of the page's section. */
  section?: string
  /** The breadcrumbs: links to the parent pages, as URL and title. */
  parents?: [url: string, title: string][]
  /** The interval in seconds at which the page reloads itself. */
  reloadSeconds?: number
}

/** Returns a page of the studio. */
export function renderPage(
  context: PageContext,
  title: string,
  content: Html | Html[],
  { section, parents = [], reloadSeconds }: PageOptions = {},
): Html {
  const { appName } = context.config
  const links = sections.map(
    ([path, name]) =>
      html`<a href="${link(context, path)}" ${path === section ? html`aria-current="page"` : ''}>${name}</a>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${reloadSeconds ? html`<meta http-equiv="refresh" content="${reloadSeconds}">` : ''}
<title>${visible(title)} · ${appName} studio</title>
<link rel="stylesheet" href="${link(context, '/studio.css')}">
<script src="${link(context, '/studio.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><strong>${appName} <span>studio</span></strong><nav aria-label="Sections">${links}</nav></header>
<main id="content">
${parents.length > 0 ? html`<p class="parents">${parents.map(([url, name]) => html`<a href="${url}"><bdi>${visible(name)}</bdi></a> / `)}</p>` : ''}
<h1><bdi>${visible(title)}</bdi></h1>
${content}
</main>
</body>
</html>`
}

/**
 * Invisible characters and characters that change the text direction, except tabs, line breaks and the zero-width
 * joiner that emoji contain.
 */
const invisible = /(?![\n\r\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Escapes characters that could hide or reorder text, for example as `\u{202E}`. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    return `\\u{${code}}`
  })
}

/** The maximum number of characters of a value that are shown. */
export const maxValueLength = 400

/** A value for display. */
export interface Value {
  text: string
  /** The length of the whole value in bytes, if `text` is truncated. */
  totalBytes?: number
  /** Whether the value is a secret, which must not be shown. */
  isSecret?: boolean
}

/** Renders a value. It is isolated, so that its text direction does not affect the rest of the page. */
export function renderValue(value: Value | null): Html {
  if (value === null) return html`<i>null</i>`
  const { text, totalBytes, isSecret } = value
  if (isSecret) return html`<i title="Secret">••••••</i>`
  if (text === '') return html`<i>empty</i>`
  const rest = totalBytes === undefined ? '' : html`<small>… ${formatBytes(totalBytes)} total</small>`
  return html`<bdi>${visible(text)}</bdi>${rest}`
}

/** A column of a table: its title, and whether its values are numbers or long text. */
export type Column = string | { title: string; isNumber?: boolean; isLong?: boolean }

/** Returns a table, or `empty` if there are no rows. */
export function renderTable(columns: Column[], rows: Html[][], empty: string): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const details = columns.map((column) => (typeof column === 'string' ? { title: column } : column))
  const classes = details.map(({ isNumber, isLong }) => (isNumber ? 'number' : isLong ? 'long' : ''))
  const head = details.map(
    ({ title }, index) => html`<th scope="col" class="${classes[index]}"><bdi>${visible(title)}</bdi></th>`,
  )
  const body = rows.map(
    (row) => html`<tr>${row.map((cell, index) => html`<td class="${classes[index]}">${cell}</td>`)}</tr>\n`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

/** Returns a list of names and values. */
export function renderFacts(facts: [name: string, value: Html | string][]): Html {
  return html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

export const text = (value: string): Html => html`<bdi>${visible(value)}</bdi>`
export const nothing = (): Html => html`<i>–</i>`
export const code = (value: string): Html => html`<code>${visible(value)}</code>`

type State = 'good' | 'bad' | 'quiet'

export const badge = (label: string, state: State): Html => html`<span class="badge ${state}">${label}</span>`

export const notice = (message: string): Html => html`<p class="notice" role="status">${visible(message)}</p>`
export const failureNotice = (message: string): Html =>
  html`<p class="notice bad" role="alert">${visible(message)}</p>`

/** Returns a form with a single button that sends a POST request. */
export function actionForm(
  context: PageContext,
  path: string,
  label: string,
  fields: Record<string, string> = {},
): Html {
  const inputs = Object.entries({ ...fields, token: context.formToken }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${link(context, path)}">${inputs}<button class="danger">${label}</button></form>`
}

/** Returns the links to the previous and next page of a list. */
export function pager(
  context: PageContext,
  path: string,
  query: Record<string, string>,
  offset: number,
  pageSize: number,
  hasMore: boolean,
): Html {
  const to = (target: number) => link(context, path, { ...query, offset: String(target) })
  return html`<p class="pager">
${offset > 0 ? html`<a href="${to(Math.max(0, offset - pageSize))}">Previous</a>` : ''}
${hasMore ? html`<a href="${to(offset + pageSize)}">Next</a>` : ''}</p>`
}

/** Returns the URL of a page, without empty query parameters. */
export function link(
  { basePath }: PageContext,
  path: string,
  query: Record<string, string | undefined> = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value && !(name === 'offset' && value === '0')) parameters.set(name, value)
  }
  const url = path === '/' ? basePath : `${basePath}${path}`
  return parameters.size > 0 ? `${url}?${parameters}` : url
}

/** Parses the `offset` parameter. Returns 0 if it is missing or invalid. */
export function readOffset(value: string | undefined): number {
  return value && /^\d{1,9}$/.test(value) ? Number(value) : 0
}

export function formatTime(time: Date | string | null): Html {
  if (time === null) return nothing()
  const iso = new Date(time).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`
}

export const formatNumber = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 1 })

export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${formatNumber(seconds * 1000)} ms`
  if (seconds < 120) return `${formatNumber(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
