import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { measureCalls } from '../load/call-costs.mjs'
import { fillWithActivity } from '../load/fill-activity.mjs'
import { measureMemoryUnderLoad } from '../load/mixed-load.mjs'
import { startProject } from '../load/start-time.mjs'
import { createTempDir } from '../support/stack-process.ts'

test('the growth and soak benchmarks measure the cost of calls and the memory use', async () => {
  const dataDir = createTempDir()
  const project = await startProject(root, dataDir, {
    RATE_LIMITS: 'off',
    CAPTCHA_PROVIDER: 'none',
    DEMO_DATA: 'off',
    LOG_LEVEL: 'error',
  })
  try {
    const connectionFile = join(dataDir, 'connection.json')
    const stack = { connection: JSON.parse(readFileSync(connectionFile, 'utf8')), connectionFile }
    await fillWithActivity(stack, { posts: 300, users: 100 })
    const { measurements, failures } = await measureCalls(stack, { repeats: 1 })
    expect(failures).toEqual([])
    expect(measurements.length).toBeGreaterThan(50)
    const load = await measureMemoryUnderLoad(stack, 1)
    expect(load).toMatchObject({ calls: expect.any(Number), failures: [] })
    expect(load.parts.length).toBeGreaterThan(2)
  } finally {
    await project.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
