import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { queryKeys } from '@/lib/query-client'
import {
  affectedByNotification,
  affectedByPostEvent,
  affectedByProfileEvent,
  affectedByUserEvent,
  queriesAffectedBy,
  refreshQueries,
} from './affected-queries'

const topics = {
  user: affectedByUserEvent,
  notification: affectedByNotification,
  post: affectedByPostEvent,
  profile: affectedByProfileEvent,
}

/**
 * Returns the rows that the table in docs/reference/page-updates.md must have: each query that an event affects, with
 * its key and the events by topic.
 */
function expectedRows(): string[] {
  return Object.entries(queryKeys).flatMap(([name, key]) => {
    const events = Object.entries(topics).flatMap(([topic, table]) => {
      const affecting = Object.entries<readonly string[]>(table).filter(([, names]) => names.includes(name))
      return affecting.length > 0
        ? [`${topic}: ${affecting.map(([event]) => `\`${event}\``).join(', ')}`]
        : []
    })
    return events.length > 0 ? [`| \`${name}\` | \`${key.join(' ')}\` | ${events.join('; ')} |`] : []
  })
}

test('docs/reference/page-updates.md lists the events that affect each query', () => {
  const text = readFileSync(join(process.cwd(), 'docs/reference/page-updates.md'), 'utf8')
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replace(/ +/g, ' '))
  expect(rows).toEqual(expectedRows())
})

test('an event invalidates the queries that it affects, and an unknown event invalidates none', () => {
  const client = new QueryClient()
  const keys = [
    ['posts', 'detail', 'a'],
    ['posts', 'detail', 'b'],
    ['posts', 'list', 'feed'],
    ['comments', 'a', 'list'],
    ['users', 'detail', 'ana'],
  ]
  for (const key of keys) client.setQueryData(key, {})
  const outdated = () => keys.filter((key) => client.getQueryState(key)?.isInvalidated)
  refreshQueries(client, queriesAffectedBy(affectedByPostEvent, 'toString'))
  expect(outdated()).toEqual([])
  refreshQueries(
    client,
    queriesAffectedBy(affectedByNotification, 'reply'),
    ({ queryKey }) => queryKey[2] !== 'b',
  )
  expect(outdated()).toEqual([keys[0], keys[3]])
  refreshQueries(client, queriesAffectedBy(affectedByPostEvent, 'likes.changed'))
  expect(outdated()).toEqual(keys.slice(0, 4))
})
