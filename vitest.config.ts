import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const resolve = {
  alias: [
    { find: /^@\//, replacement: `${here('./web/src')}/` },
    { find: /^@contract\//, replacement: `${here('./supabase/functions/_shared/contract')}/` },
  ],
}

const timeouts = { testTimeout: 30_000, hookTimeout: 120_000 }

const webTests = 'web/src/**/*.test.{ts,tsx}'

/** What would still be there for the next file: a module, a global or the environment that was put in another's place. */
const leavesTraces = /\bvi\.(mock|doMock|stubGlobal|stubEnv|resetModules)\b|\bglobalThis\b|\bprocess\.env\b/

/** Tests of the web app that must have a process of their own; to start one takes longer than most files. */
const webTestsApart = readdirSync(here('web/src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `web/src/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.test\.tsx?$/.test(path) && leavesTraces.test(readFileSync(here(path), 'utf8')))

/** Files that come one after the other, and after the groups before theirs. */
const alone = (groupOrder: number) => ({ fileParallelism: false, sequence: { groupOrder } })

/**
 * Everything that needs no browser. Tests that talk to a stack share the one whose connection.json
 * OVATION_CONNECTION names (`scripts/test.mjs` starts it); `tests/stack` starts stacks of its own.
 */
export default defineConfig({
  test: {
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      {
        resolve,
        test: {
          name: 'web',
          include: [webTests],
          exclude: webTestsApart,
          isolate: false,
          ...timeouts,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        test: {
          name: 'web, apart',
          include: webTestsApart,
          ...timeouts,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        test: {
          name: 'rights and calls',
          include: ['tests/{rls,api}/**/*.test.ts'],
          maxWorkers: 2,
          ...timeouts,
          sequence: { groupOrder: 1 },
        },
      },
      // One of these files cuts Realtime's own connections, another floods it.
      {
        resolve,
        test: { name: 'realtime', include: ['tests/realtime/**/*.test.ts'], ...timeouts, ...alone(2) },
      },
      // Each starts stacks of its own, which leave each other alone.
      {
        resolve,
        test: {
          name: 'stack',
          include: ['tests/stack/**/*.test.ts'],
          maxWorkers: 2,
          ...timeouts,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
