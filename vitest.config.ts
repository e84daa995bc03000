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
          include: ['web/src/**/*.test.{ts,tsx}'],
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
