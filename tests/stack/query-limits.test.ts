import { describe, expect, test } from 'vitest'
import { limitQuery, type Query, type QueryContext } from '../../stack/data-api/query-limits.ts'

const visitor: QueryContext = {
  maxRows: 100,
  isVisitor: true,
  isIndexed: (table, column) => `${table}.${column}` === 'posts.created_at',
}
const user: QueryContext = { ...visitor, isVisitor: false }
const posts = (query: Query): Query => ({ from: 'posts', select: ['id'], ...query })

describe('limitQuery', () => {
  test('limits the rows of the queried table', () => {
    for (const [limit, expected] of [
      [undefined, 100],
      [1000, 100],
      [10, 10],
      [0, 0],
    ]) {
      const query = posts({ limit })
      expect(limitQuery(query, user)).toBeNull()
      expect(query.limit).toBe(expected)
    }
  })

  test.each(['insert', 'upsert', 'update', 'delete', 'put'])(
    'adds no limit to a query that writes (%s)',
    (type) => {
      const query = posts({ type })
      expect(limitQuery(query, user)).toBeNull()
      expect(query.limit).toBeUndefined()
    },
  )

  test.each(['update', 'delete'])('rejects a limit on a query that writes (%s)', (type) => {
    expect(limitQuery(posts({ type, limit: 1 }), user)).toContain('cannot have a limit')
  })

  test('limits the values that a query writes', () => {
    const insert = (count: number, row: object, columns?: string[]) =>
      limitQuery(posts({ type: 'insert', values: Array(count).fill(row), $meta: { columns } }), user)
    const columns = Array.from({ length: 2000 }, (_, index) => `column_${index}`)
    expect(insert(65_533, { id: 1 })).toBeNull()
    expect(insert(32, {}, columns)).toBeNull()
    for (const problem of [
      insert(65_534, { id: 1 }),
      insert(33, {}, columns),
      insert(33_000, { id: 1, content: 'x' }),
    ]) {
      expect(problem).toContain('more than 65533 values')
    }
  })

  test('limits the rows returned by a query that writes', () => {
    const rows = (count: number) => Array.from({ length: count }, () => ({}))
    const insert = (count: number, meta: Query['$meta']) =>
      limitQuery(posts({ type: 'insert', values: rows(count), $meta: meta }), user)
    expect(insert(1001, undefined)).toBeNull()
    expect(insert(1000, { return: 'representation' })).toBeNull()
    expect(insert(1001, { return: 'representation' })).toContain('the 1001 rows that it writes')
    const embedded = [{ comments: { select: ['id'] } }]
    const insertWithEmbedded = (count: number) =>
      limitQuery(
        posts({ type: 'insert', values: rows(count), select: embedded, $meta: { return: 'representation' } }),
        user,
      )
    expect(insertWithEmbedded(100)).toBeNull()
    expect(insertWithEmbedded(101)).toContain('with embedded tables at most 100 can be returned')
    for (const [query, maxAffected] of [
      [{}, 1000],
      [{ select: embedded }, 100],
      [{ $meta: { handling: 'strict', maxAffected: 5 } }, 5],
      [{ $meta: { handling: 'strict', maxAffected: 5000 } }, 1000],
      [{ $meta: { handling: 'lenient', maxAffected: 5 } }, 1000],
    ] as const) {
      const update = posts({ ...structuredClone(query as Query), type: 'update' })
      update.$meta = { ...update.$meta, return: 'representation' }
      expect(limitQuery(update, user)).toBeNull()
      expect(update.$meta).toMatchObject({ handling: 'strict', maxAffected })
    }
  })

  test('shares a thousand rows among the embedded lists of a query', () => {
    const replies: Query = { select: ['id'] }
    const comments: Query = { select: ['id', { replies }] }
    const profiles: Query = { select: ['id'], limit: 5000 }
    const likes: Query = { select: ['id'], limit: 20 }
    const select = ['id', { comments }, { author: profiles }, { likes }]
    const query = posts({ limit: 5, select })
    expect(limitQuery(query, user)).toBeNull()
    expect([comments.limit, profiles.limit, likes.limit, replies.limit]).toEqual([50, 50, 20, 1])
  })

  test('rejects a column that is selected repeatedly', () => {
    const repeated = [{ a: { column: 'content' } }, { b: { column: 'content', cast: 'text' } }]
    const message =
      'The column content is selected more than once. Select it once, and copy the value in the client.'
    expect(limitQuery(posts({ select: repeated }), user)).toBe(message)
    expect(limitQuery(posts({ select: ['content', { content: { cast: 'text' } }] }), user)).toBe(message)
    expect(limitQuery(posts({ select: [{ author: { select: repeated } }] }), user)).toBe(message)
    expect(limitQuery(posts({ select: ['*', '*'] }), user)).toContain('more than once')
    const paths = ['$.name', '$.price'].map((path, index) => ({ [`p${index}`]: { column: 'product', path } }))
    expect(limitQuery(posts({ select: ['id', ...paths, { author: { select: ['id'] } }] }), user)).toBeNull()
  })

  test('rejects queries with too many or too deeply nested tables', () => {
    const nest = (depth: number): Query => ({
      select: depth === 0 ? ['id'] : ['id', { comments: nest(depth - 1) }],
    })
    expect(limitQuery(posts(nest(2)), user)).toBeNull()
    expect(limitQuery(posts(nest(3)), user)).toBe(
      'This query nests comments > comments > comments, but embedded tables may be nested at most 2 levels deep. Select comments in another query.',
    )
    const wide = Array.from({ length: 7 }, (_, index) => ({ [`table${index}`]: { select: ['id'] } }))
    expect(limitQuery(posts({ select: wide }), user)).toBe(
      'This query embeds 7 tables, but at most 6 are allowed. Select some of them in another query.',
    )
  })

  test.each(['$regex', '$iregex', '$regexAny', '$regexAll', '$iregexAny', '$iregexAll'])(
    'rejects regular expressions from everybody (%s)',
    (name) => {
      const where = { $or: [{ content: { $not: { [name]: '^(.+)(.+)$' } } }] }
      expect(limitQuery(posts({ where }), user)).toBe(
        'Regular expressions are not supported. Use like or ilike instead.',
      )
      const embedded = posts({ select: ['id', { comments: { select: ['id'], where } }] })
      expect(limitQuery(embedded, user)).toBe(
        'Regular expressions are not supported. Use like or ilike instead.',
      )
    },
  )

  test('allows visitors only simple filters, and sorting only by indexed columns', () => {
    const pattern = posts({ where: { content: { $ilike: '%a%' } } })
    expect(limitQuery(pattern, user)).toBeNull()
    expect(limitQuery(pattern, visitor)).toBe('The filter ilike requires a signed-in user.')
    const sorted = posts({ order: [{ column: 'created_at' }, { column: 'content' }] })
    expect(limitQuery(sorted, user)).toBeNull()
    expect(limitQuery(sorted, visitor)).toBe('Sorting by content requires a signed-in user.')
    expect(limitQuery(posts({ order: [{ column: 'created_at' }] }), visitor)).toBeNull()
    const embedded = { p: { select: ['id'], order: [{ column: 'created_at' }] } }
    const query: Query = { from: 'profiles', select: [embedded] }
    expect(limitQuery({ ...query, join: { p: { from: 'posts' } } }, visitor)).toBeNull()
    expect(limitQuery(query, visitor)).toBe('Sorting by created_at requires a signed-in user.')
  })
})
