import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sql } from './database.ts'

// Compares the names of the definitions in supabase/schemas with those in the migrated database. `npm run check`
// compares every detail.

const folder = fileURLToPath(new URL('../../supabase/schemas', import.meta.url))
const schema = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n')

/** Returns the sorted names of the definitions that a pattern matches. The groups of a match are joined by a space. */
const definitions = (pattern: RegExp) =>
  [...schema.matchAll(pattern)].map((match) => match.slice(1).join(' ')).sort()

const names = (rows: { name: string }[]) => rows.map(({ name }) => name).sort()

describe('supabase/schemas', () => {
  it('defines every function once', async () => {
    const existing = await sql<{ name: string }[]>`
      select p.pronamespace::regnamespace || '.' || p.proname as name from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prokind in ('f', 'p')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
    expect(definitions(/^create (?:or replace )?function ([a-z_]+\.[a-z0-9_]+)/gm)).toEqual(names(existing))
  })

  it('defines every view once', async () => {
    const existing = await sql<{ name: string }[]>`
      select schemaname || '.' || viewname as name from pg_views where schemaname in ('public', 'private')`
    expect(definitions(/^create (?:or replace )?view ([a-z_]+\.[a-z_]+)/gm)).toEqual(names(existing))
  })

  it('defines every policy once', async () => {
    const existing = await sql<{ name: string }[]>`
      select format('%s %s.%s', policyname, schemaname, tablename) as name from pg_policies
      where schemaname in ('public', 'private') or policyname like 'ovation%'`
    expect(definitions(/^create policy ([a-z_]+) on ([a-z_]+\.[a-z_]+)/gm)).toEqual(names(existing))
  })

  it('defines every trigger once', async () => {
    const existing = await sql<{ name: string }[]>`
      select t.tgname || ' ' || c.relnamespace::regnamespace || '.' || c.relname as name
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and p.pronamespace = 'private'::regnamespace`
    const pattern = /^ *create (?:constraint )?trigger ([a-z_]+)\s[^;]*?\bon ([a-z_]+\.[a-z_]+)/gm
    expect(definitions(pattern)).toEqual(names(existing))
  })
})
