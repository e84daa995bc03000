import type { Hono } from 'hono'
import { html } from 'hono/html'
import { logLevels } from '../../shared/log.ts'
import { listLogFiles } from '../../supervisor/log-files.ts'
import type { StudioContext } from '../context.ts'
import { badge, code, formatTime, type Html, link, renderPage, renderTable, text } from '../layout.ts'

const pageSize = 200
const processes = ['supervisor', 'gateway', 'lite', 'data-api', 'studio']
const followSeconds = 5

interface Line {
  time: string
  level: string
  process: string
  event: string
  requestId?: string
  [field: string]: unknown
}

interface LogFilter {
  process: string
  level: string
  text: string
}

/** Adds the page that shows the log lines of all processes. */
export function addLogsPage(app: Hono, context: StudioContext): void {
  app.get('/logs', async (c) => {
    const filter = {
      process: c.req.query('process') ?? '',
      level: c.req.query('level') ?? '',
      text: (c.req.query('text') ?? '').slice(0, 200),
    }
    const before = c.req.query('before')
    const isFollowing = c.req.query('follow') === '1' && !before
    const { lines, next } = await readLines(context.config.dataDir, filter, before)
    const query = { ...filter, follow: isFollowing ? '1' : undefined }
    const rows = lines.map((line) => [
      formatLineTime(line.time),
      levelBadge(line.level),
      text(line.process),
      html`<strong>${text(line.event)}</strong>`,
      renderFields(context, line),
    ])
    const content = html`
<form method="get" action="${link(context, '/logs')}" class="filters">
<label>Process ${select('process', processes, filter.process, 'All')}</label>
<label>Level ${select('level', logLevels.slice(1), filter.level, 'All', levelLabel)}</label>
<label>Text <input name="text" value="${filter.text}" maxlength="200"></label>
<label class="check"><input type="checkbox" name="follow" value="1" ${isFollowing ? 'checked' : ''}> Reload every ${followSeconds} seconds</label>
<button>Apply</button></form>
${renderTable(['Time (UTC)', 'Level', 'Process', 'Event', { title: 'Fields', isLong: true }], rows, 'No lines match.')}
<p class="pager">${before ? html`<a href="${link(context, '/logs', filter)}">Newest</a>` : ''}
${next ? html`<a href="${link(context, '/logs', { ...query, follow: undefined, before: next })}">Older</a>` : ''}</p>`
    const reloadSeconds = isFollowing ? followSeconds : undefined
    return c.html(renderPage(context, 'Logs', content, { section: '/logs', reloadSeconds }))
  })
}

function select(
  name: string,
  values: readonly string[],
  current: string,
  all: string,
  label = (value: string) => value,
): Html {
  const options = values.map(
    (value) => html`<option value="${value}" ${value === current ? 'selected' : ''}>${label(value)}</option>`,
  )
  return html`<select name="${name}"><option value="">${all}</option>${options}</select>`
}

const formatLineTime = (time: string): Html =>
  Number.isNaN(Date.parse(time)) ? text(time) : formatTime(time)

const levelLabel = (level: string): string => (level === logLevels.at(-1) ? level : `${level} and above`)

const levelBadge = (level: string): Html =>
  badge(level, level === 'error' || level === 'warn' ? 'bad' : 'quiet')

/** Returns the fields of a line. A request ID becomes a link to all lines about that request. */
function renderFields(
  context: StudioContext,
  { time: _time, level: _level, process: _process, event: _event, requestId, ...fields }: Line,
): Html {
  const list = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const request = requestId ? html` <a href="${link(context, '/logs', { text: requestId })}">request</a>` : ''
  return html`${code(list.join(' ').slice(0, 2000))}${request}`
}

/**
 * Returns the newest lines that match a filter, newest first.
 *
 * @param before the position of a line, as `file:number`: only lines before it are returned
 * @returns `next` is the position to pass as `before` for the next page, if there may be older lines
 */
async function readLines(
  dataDir: string,
  filter: LogFilter,
  before: string | undefined,
): Promise<{ lines: Line[]; next?: string }> {
  const [beforeFile = '', beforeNumber = ''] = before?.split(':') ?? []
  const minLevel = logLevels.indexOf(filter.level)
  const searchText = filter.text.toLowerCase()
  const lines: Line[] = []
  for (const path of (await listLogFiles(dataDir)).reverse()) {
    const name = path.slice(-'20260101T000000000Z.jsonl'.length)
    if (before && name > beforeFile) continue
    // The file may have been deleted since it was listed.
    const all = (await Deno.readTextFile(path).catch(() => '')).split('\n')
    for (
      let number = Math.min(name === beforeFile ? Number(beforeNumber) : all.length, all.length) - 1;
      number >= 0;
      number--
    ) {
      const source = all[number] ?? ''
      if (source === '' || !source.toLowerCase().includes(searchText)) continue
      const line = parseLine(source)
      if (!line || (filter.process && line.process !== filter.process)) continue
      if (minLevel > 0 && logLevels.indexOf(line.level) < minLevel) continue
      lines.push(line)
      if (lines.length === pageSize) return { lines, next: `${name}:${number}` }
    }
  }
  return { lines }
}

/** Parses a line of a log file. Returns null if it is not a complete log line. */
function parseLine(source: string): Line | null {
  try {
    const line: Partial<Line> | null = JSON.parse(source)
    const fields = [line?.time, line?.level, line?.process, line?.event, line?.requestId ?? '']
    return fields.every((field) => typeof field === 'string') ? (line as Line) : null
  } catch {
    return null
  }
}
