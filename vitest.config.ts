import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Everything that needs no browser. Files that talk to a stack share the one that `scripts/test.mjs` (or a running
 * `npm start`) names in OVATION_CONNECTION; `tests/stack` starts stacks of its own.
 */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@\//, replacement: `${here('./web/src')}/` },
      { find: /^@contract\//, replacement: `${here('./supabase/functions/_shared/contract')}/` },
    ],
  },
  test: {
    include: ['web/src/**/*.test.{ts,tsx}', 'tests/{api,rls,realtime,stack}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    passWithNoTests: false,
    allowOnly: false,
  },
})
