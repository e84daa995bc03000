import type { PostgresConnection } from '@supabase/lite/postgres'
import { currentRequest } from './request.ts'

/** A node of Kysely's syntax tree, with the properties that this module uses. */
interface Node {
  kind: string
  returning?: { selections: Node[] }
  into?: Node
  table?: Node
  from?: { froms: Node[] }
  selections?: Node[]
  selection?: Node
}

interface Result {
  rows: { json: string }[]
}

interface Kysely {
  withPlugin?: (plugin: Plugin) => object
  getExecutor?: () => {
    compileQuery: (node: Node, queryId: object) => { sql: string; parameters: readonly unknown[] }
  }
}

interface Plugin {
  transformQuery: (query: { node: Node; queryId: object }) => unknown
  transformResult: (response: { result: Result; queryId: object }) => Promise<unknown>
}

/**
 * Lets PostgreSQL convert rows to JSON, as PostgREST does. By default, lite converts the driver's values itself: it
 * formats times, numbers and bytes differently, and in arrays of some types, it turns null into false or "NULL".
 */
export function readRowsAsJson(connection: PostgresConnection): void {
  const { kysely } = connection as unknown as { kysely?: Kysely }
  if (typeof kysely?.withPlugin !== 'function' || typeof kysely.getExecutor !== 'function') {
    throw new Error('this version of @supabase/lite runs queries in a different way: see json-rows.ts')
  }
  const executor = kysely.getExecutor()
  const converted = new WeakSet<object>()
  const plugin: Plugin = {
    transformQuery({ node, queryId }) {
      const query = convert(node)
      if (query !== node) converted.add(queryId)
      const recording = currentRequest.getStore()?.recording
      recording?.statements.push(executor.compileQuery(query, queryId))
      return query
    },
    transformResult({ result, queryId }) {
      if (!queryId || !converted.has(queryId)) return Promise.resolve(result)
      const recording = currentRequest.getStore()?.recording
      if (recording) recording.rows = result.rows.map(({ json }) => json)
      return Promise.resolve({ ...result, rows: result.rows.map(({ json }) => JSON.parse(json)) })
    },
  }
  Object.assign(connection, { kysely: kysely.withPlugin(plugin) })
}

/**
 * Returns a version of the query `node` whose only column, `json`, contains each row as JSON. Returns `node` itself if
 * the query does not return rows.
 */
function convert(node: Node): Node {
  if (node.kind === 'SelectQueryNode') {
    const from = { froms: [raw(['(', ') as _row'], [node])], kind: 'FromNode' }
    return { kind: 'SelectQueryNode', from, selections: [select(raw(['row_to_json(_row)::text as json']))] }
  }
  const table = node.into ?? node.table ?? node.from?.froms[0]
  if (!node.returning || !table) return node
  const columns = node.returning.selections.map((each) =>
    each.selection?.kind === 'SelectAllNode' ? raw(['', '.*'], [table]) : each,
  )
  const separators = columns.slice(1).map(() => ', ')
  const json = raw(
    ['(select row_to_json(_row)::text from (select ', ...separators, ') as _row) as json'],
    columns,
  )
  return {
    ...node,
    returning: { ...node.returning, selections: [{ kind: 'SelectionNode', selection: json }] },
  }
}

/** @param parameters the nodes between the fragments */
const raw = (sqlFragments: string[], parameters: Node[] = []) => ({
  kind: 'RawNode',
  sqlFragments,
  parameters,
})

const select = (selection: Node): Node => ({ kind: 'SelectionNode', selection })
