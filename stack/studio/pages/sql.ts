import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { StudioContext } from '../context.ts'
import {
  code,
  formatDuration,
  formatNumber,
  type Html,
  link,
  notice,
  renderPage,
  renderTable,
  renderValue,
  visible,
} from '../layout.ts'
import { maxRows, runScript, type SqlFailure, type SqlOutcome, type StatementResult } from '../sql-runner.ts'

/** Adds the SQL editor. */
export function addSqlPage(app: Hono, context: StudioContext): void {
  // A link can fill in a statement, which runs only when the operator submits the form.
  app.get('/sql', (c) => c.html(renderEditor(context, c.req.query('statement') ?? '', false)))
  app.post('/sql', async (c) => {
    const form = await c.req.parseBody()
    const script = typeof form.statement === 'string' ? form.statement.replaceAll('\r\n', '\n') : ''
    const allowsChanges = form.changes === 'on'
    const outcome = await runScript(context.config.databaseUrl, script, allowsChanges)
    if (allowsChanges) {
      // Statements and results can contain user data, which must not be logged.
      context.log.info('studio_sql_executed', {
        commands: outcome.results.map(({ command, count }) => [command, count].join(' ').trim()),
        failed: outcome.failure?.code ?? (outcome.failure ? true : undefined),
        ms: Math.round(outcome.ms),
      })
    }
    return c.html(renderEditor(context, script, allowsChanges, outcome))
  })
}

function renderEditor(
  context: StudioContext,
  script: string,
  allowsChanges: boolean,
  outcome?: SqlOutcome,
): Html {
  const content = html`
<form method="post" action="${link(context, '/sql')}" class="editor">
<label for="statement">Statement</label>
<textarea id="statement" name="statement" rows="8" spellcheck="false" autocomplete="off" autocapitalize="off" ${outcome ? '' : 'autofocus'} placeholder="select username, created_at from public.profiles order by created_at desc limit 20">
${script}</textarea>
<input type="hidden" name="token" value="${context.formToken}">
<p class="actions"><button class="primary">Run</button>
<label class="check"><input type="checkbox" name="changes" ${allowsChanges ? 'checked' : ''}> Allow changes</label>
<small>Ctrl+Enter runs it. Without “Allow changes”, it runs in a read-only transaction.</small></p>
</form>
${outcome ? renderOutcome(script, allowsChanges, outcome) : ''}`
  return renderPage(context, 'SQL', content, { section: '/sql' })
}

function renderOutcome(script: string, allowsChanges: boolean, outcome: SqlOutcome): Html {
  const { results, notices, failure, ms } = outcome
  const summary = failure
    ? renderFailure(script, failure, allowsChanges, results.length)
    : notice(`Done in ${formatDuration(ms / 1000)}.`)
  return html`${summary}
${notices.map((message) => notice(message))}
${results.map((result, index) => renderResult(result, results.length > 1 ? index + 1 : null))}`
}

function renderResult(result: StatementResult, number: number | null): Html {
  const { command, count, columns, rows, hasMore } = result
  const title = number === null ? 'Result' : `Result ${number}`
  if (columns.length === 0) {
    return html`<section><h2>${title}</h2><p>${command}${count === null ? '' : ` ${formatNumber(count)}`}</p></section>`
  }
  const total =
    count === null ? `More than ${maxRows} rows.` : `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'}.`
  return html`<section><h2>${title}</h2><p>${total} ${hasMore ? `The first ${maxRows} are shown.` : ''}</p>
${renderTable(
  columns,
  rows.map((row) => row.map(renderValue)),
  'No rows.',
)}</section>`
}

function renderFailure(script: string, failure: SqlFailure, allowsChanges: boolean, completed: number): Html {
  const { message, code: errorCode, detail, hint, position } = failure
  const before = position === undefined ? null : [...script].slice(0, position).join('').split('\n')
  const line = before?.length ?? 0
  const column = [...(before?.at(-1) ?? '')].length
  const source = script.split('\n')[line - 1] ?? ''
  const isReadOnly = errorCode === '25006' && !allowsChanges
  return html`<div class="notice bad" role="alert">
<p><strong>${visible(message)}</strong>${errorCode ? html` <small>${errorCode}</small>` : ''}</p>
${before ? html`<p>Line ${line}, column ${column + 1}:</p><pre>${visible(excerpt(source, column))}</pre>` : ''}
${detail ? html`<p>${visible(detail)}</p>` : ''}${hint ? html`<p>${visible(hint)}</p>` : ''}
${isReadOnly ? html`<p>Select ${code('Allow changes')} to run it.</p>` : ''}
${completed > 0 ? html`<p>Nothing was changed: the transaction was rolled back.</p>` : ''}
</div>`
}

/** Returns the part of a line around a column, with a marker below that column. */
function excerpt(source: string, column: number): string {
  const characters = [...source.replaceAll('\t', ' ')]
  const start = Math.max(0, column - 40)
  return `${characters.slice(start, column + 60).join('')}\n${' '.repeat(column - start)}^`
}
