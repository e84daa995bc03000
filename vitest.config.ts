import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longTests, skipLongTestsVariable } from './scripts/lib/long-tests.mjs'
import { translation } from './vite.config.ts'

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const resolve = {
  alias: [
    { find: /^@\//, replacement: `${toPath('./web/src')}/` },
    { find: /^@contract\//, replacement: `${toPath('./supabase/functions/_shared/contract')}/` },
  ],
}

// Generous timeouts for a busy machine.
const timeouts = { testTimeout: 180_000, hookTimeout: 300_000, expect: { poll: { timeout: 30_000 } } }

const webTests = 'web/src/**/*.test.{ts,tsx}'

/** Matches code that can affect later test files in the same process through modules, globals or the environment. */
const sideEffects = /\bvi\.(mock|doMock|stubGlobal|stubEnv|resetModules)\b|\bglobalThis\b|\bprocess\.env\b/

/**
 * The web app's test files that have side effects. Each runs in its own process, which takes longer to start than most
 * files take to run.
 */
const isolatedWebTests = readdirSync(toPath('web/src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `web/src/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.test\.tsx?$/.test(path) && sideEffects.test(readFileSync(toPath(path), 'utf8')))

/**
 * The tests that need no browser. Most tests that need a stack share the one that `scripts/test.mjs` starts;
 * OVATION_CONNECTION is the path of its connection.json. Most files in `tests/stack` start their own stacks.
 */
export default defineConfig({
  test: {
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      {
        resolve,
        plugins: [translation()],
        test: {
          name: 'web',
          setupFiles: './web/src/locales/test-setup.ts',
          include: [webTests],
          exclude: isolatedWebTests,
          isolate: false,
          ...timeouts,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        plugins: [translation()],
        test: {
          name: 'web (isolated)',
          setupFiles: './web/src/locales/test-setup.ts',
          include: isolatedWebTests,
          ...timeouts,
          sequence: { groupOrder: 0 },
        },
      },
      // The files often wait for the database, so it takes three at a time to keep two cores busy. A process runs
      // several files, which saves importing the same modules for each.
      {
        resolve,
        test: {
          name: 'rls and api',
          setupFiles: './tests/support/setup.ts',
          isolate: false,
          include: ['tests/{rls,api}/**/*.test.ts'],
          exclude: process.env[skipLongTestsVariable] ? longTests.rlsAndApi : [],
          ...timeouts,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // The files use separate stacks or databases, so they do not affect each other.
      {
        resolve,
        test: {
          name: 'stack',
          include: ['tests/{stack,faults,fuzz}/**/*.test.ts'],
          exclude: process.env[skipLongTestsVariable] ? longTests.stack : [],
          ...timeouts,
          testTimeout: 300_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // The files run one after the other: one terminates Realtime's database connections, another floods its topics.
      {
        resolve,
        test: {
          name: 'realtime',
          setupFiles: './tests/support/setup.ts',
          include: ['tests/realtime/**/*.test.ts'],
          ...timeouts,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
