import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type LaunchOptions } from 'playwright/test'

/** Chromium as people have it: one tab is in sight, the others are hidden, slowed down and can be frozen. */
export interface NaturalBrowser {
  /** The one context there is; it has no base address. */
  context: BrowserContext
  close: () => Promise<void>
}

/** Timers of a hidden page run freely for some minutes, then once in a minute: here after this many seconds. */
const secondsOfGrace = 2

/**
 * Starts a Chromium of its own. Playwright keeps every page of its browsers in sight and awake, so this one is started
 * apart from it and only steered by it. Now and then one never answers whoever wants to steer it: then comes another.
 */
export async function openNaturalBrowser(options: LaunchOptions): Promise<NaturalBrowser> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(options)
    } catch (error) {
      if (tries === 3) throw error
    }
  }
}

async function start({ executablePath, args = [] }: LaunchOptions): Promise<NaturalBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-browser-'))
  const child = spawn(
    executablePath ?? chromium.executablePath(),
    [
      ...args,
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      `--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/${secondsOfGrace}`,
    ],
    { stdio: 'ignore' },
  )
  const close = async () => {
    await end(child)
    // What it started goes after it, and writes until then.
    await expect(async () => rmSync(folder, { recursive: true, force: true })).toPass({ timeout: 15_000 })
  }
  try {
    const browser = await chromium.connectOverCDP(await addressIn(folder), {
      noDefaults: true,
      timeout: 15_000,
    })
    const [context] = browser.contexts()
    if (!context) throw new Error('The browser has no context')
    return {
      context,
      close: async () => {
        await browser.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Where the browser of a folder can be steered, once it says so. */
async function addressIn(folder: string): Promise<string> {
  const path = join(folder, 'DevToolsActivePort')
  const port = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n')[0] : '')
  await expect.poll(port, { timeout: 20_000, intervals: [50] }).toMatch(/^\d+$/)
  return `http://127.0.0.1:${port()}`
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = new Promise((resolve) => child.once('exit', resolve))
  // One that answers to nothing would not heed anything milder; its profile is thrown away.
  child.kill('SIGKILL')
  await over
}
