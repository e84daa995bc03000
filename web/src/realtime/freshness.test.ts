import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { queryKeys } from '@/lib/query-client'
import {
  touch,
  touchedBy,
  touchedByNotification,
  touchedByPostEvent,
  touchedByProfileEvent,
  touchedByUserEvent,
} from './freshness'

const topics = {
  user: touchedByUserEvent,
  notification: touchedByNotification,
  post: touchedByPostEvent,
  profile: touchedByProfileEvent,
}

/** Returns the table's rows of all queries that an event touches: the key, and the events of each topic. */
function expectedRows(): string[] {
  return Object.entries(queryKeys).flatMap(([name, key]) => {
    const events = Object.entries(topics).flatMap(([topic, table]) => {
      const touching = Object.entries<readonly string[]>(table).filter(([, names]) => names.includes(name))
      return touching.length > 0 ? [`${topic}: ${touching.map(([event]) => `\`${event}\``).join(', ')}`] : []
    })
    return events.length > 0 ? [`| \`${name}\` | \`${key.join(' ')}\` | ${events.join('; ')} |`] : []
  })
}

test('docs/reference/freshness.md lists for each query the events that touch it', () => {
  const text = readFileSync(join(process.cwd(), 'docs/reference/freshness.md'), 'utf8')
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replace(/ +/g, ' '))
  expect(rows).toEqual(expectedRows())
})

test('an event outdates the queries that it touches, and an unknown event none', () => {
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
  touch(client, touchedBy(touchedByPostEvent, 'toString'))
  expect(outdated()).toEqual([])
  touch(client, touchedBy(touchedByNotification, 'reply'), ({ queryKey }) => queryKey[2] !== 'b')
  expect(outdated()).toEqual([keys[0], keys[3]])
  touch(client, touchedBy(touchedByPostEvent, 'likes.changed'))
  expect(outdated()).toEqual(keys.slice(0, 4))
})
