import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql, TransactionSql } from 'postgres'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { sql } from './database.ts'

// `privileges.txt` lists the policies with their expressions, and the tables, columns and functions that `anon`,
// `authenticated`, `gateway` and `PUBLIC` may use, so that reviewers see every change.
// `docs/guides/change-the-database.md` explains how to update the file.

/** Returns the `line` of each row with its whitespace collapsed. */
const toLines = (rows: { line: string }[]) => rows.map(({ line }) => line.replace(/\s+/g, ' '))

describe('the database', () => {
  it('enables row-level security on every table of the public schema', async () => {
    const unprotected = await sql`
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity`
    expect(unprotected.map((row) => row.relname)).toEqual([])
  })

  it('has exactly the policies, grants and callable functions of privileges.txt', async () => {
    const policies = await sql<{ line: string }[]>`
      select format('policy %I.%I %s: %s %s to %s%s%s', schemaname, tablename, policyname, lower(permissive), lower(cmd),
                    array_to_string(roles, ','), ' using ' || qual, ' with check ' || with_check) as line
      from pg_policies where schemaname in ('public', 'storage') or policyname like 'ovation%' order by 1`
    const tables = await sql<{ line: string }[]>`
      select format('table %I.%I %s: %s', table_schema, table_name, grantee,
                    string_agg(lower(privilege_type), ',' order by privilege_type)) as line
      from information_schema.role_table_grants
      where table_schema in ('public', 'private') and grantee in ('anon', 'authenticated', 'PUBLIC', 'gateway')
      group by table_schema, table_name, grantee order by 1`
    const columns = await sql<{ line: string }[]>`
      select format('column %I.%I %s: %s (%s)', c.table_schema, c.table_name, c.grantee, lower(c.privilege_type),
                    string_agg(c.column_name, ',' order by c.column_name)) as line
      from information_schema.column_privileges c
      where c.table_schema in ('public', 'private') and c.grantee in ('anon', 'authenticated', 'PUBLIC', 'gateway')
        and not exists (
          select from information_schema.role_table_grants t
          where (t.table_schema, t.table_name, t.grantee, t.privilege_type)
              = (c.table_schema, c.table_name, c.grantee, c.privilege_type))
      group by c.table_schema, c.table_name, c.grantee, c.privilege_type order by 1`
    const functions = await sql<{ line: string }[]>`
      select format('function %s%s: %s', p.oid::regprocedure, case when p.prosecdef then ' definer' else '' end,
                    string_agg(coalesce(r.rolname, 'PUBLIC'), ',' order by r.rolname)) as line
      from pg_proc p
      cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      left join pg_roles r on r.oid = a.grantee
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
        and (r.rolname in ('anon', 'authenticated', 'gateway') or a.grantee = 0)
      group by p.oid, p.prosecdef order by 1`
    const lines = toLines([...policies, ...tables, ...columns, ...functions])
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./privileges.txt')
  })

  it('fixes the search path of every security definer function', async () => {
    const unpinned = await sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosecdef
        and not coalesce(p.proconfig, '{}') @> array['search_path=""']`
    expect(unpinned.map((row) => row.name)).toEqual([])
  })

  it('sets timeouts for statements, lock waits and idle transactions of the gateway role', async () => {
    const [role] = await sql`select rolconfig from pg_roles where rolname = 'gateway'`
    expect(role?.rolconfig).toEqual(
      expect.arrayContaining([
        'statement_timeout=15s',
        'lock_timeout=10s',
        'idle_in_transaction_session_timeout=30s',
      ]),
    )
  })

  it('revokes the sequence privileges that older Supabase projects grant to the API roles', async () => {
    const listUsableSequences = (connection: Sql | TransactionSql) => connection`
      with sequences as materialized (
        select c.oid, c.relname from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace)
      select s.relname, r.rolname from sequences s cross join pg_roles r
      where r.rolname in ('anon', 'authenticated', 'service_role')
        and has_sequence_privilege(r.oid, s.oid, 'USAGE, SELECT, UPDATE')`
    expect(await listUsableSequences(sql)).toEqual([])
    const migration = readFileSync(
      join(root, 'supabase/migrations/20261123204000_prepare_for_hosted_projects.sql'),
      'utf8',
    )
    await sql
      .begin(async (tx) => {
        await tx`alter default privileges in schema public grant all on sequences to anon, authenticated`
        await tx`grant all on all sequences in schema public to anon, authenticated`
        await tx.unsafe(migration).simple()
        await tx`create sequence public.made_later`
        expect(await listUsableSequences(tx)).toEqual([])
        throw new Error('roll back')
      })
      .catch((error: Error) => expect(error.message).toBe('roll back'))
  })

  it('gives the gateway role no special attributes and no inherited privileges', async () => {
    const [role] = await sql`
      select rolinherit, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = 'gateway'`
    expect(role).toEqual({
      rolinherit: false,
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
    })
    const memberships = await sql`
      select r.rolname, m.inherit_option, m.set_option, m.admin_option from pg_auth_members m
      join pg_roles r on r.oid = m.roleid where m.member = 'gateway'::regrole order by 1`
    expect(memberships.map((row) => ({ ...row }))).toEqual(
      ['anon', 'authenticated', 'service_role'].map((rolname) => ({
        rolname,
        inherit_option: false,
        set_option: true,
        admin_option: false,
      })),
    )
  })
})
