import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type LaunchOptions } from 'playwright/test'

/**
 * Chromium as users run it: one tab is visible, and the others are hidden and throttled, and can be frozen. Playwright
 * keeps every page of the browsers it launches visible and active.
 */
export interface ThrottlingBrowser {
  /** The browser's only context, which has no base URL. */
  context: BrowserContext
  close: () => Promise<void>
}

/**
 * How long a page is hidden before Chromium limits its timers to one run per minute. Shorter than the default, so that
 * tests need not wait for minutes.
 */
const gracePeriodSeconds = 2

const maxAttempts = 3

/**
 * Launches a Chromium process and connects Playwright to it. Occasionally a process never accepts a debugging
 * connection, so the launch is retried.
 */
export async function launchThrottlingBrowser(options: LaunchOptions): Promise<ThrottlingBrowser> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnce(options)
    } catch (error) {
      if (attempt === maxAttempts) throw error
    }
  }
}

async function launchOnce({ executablePath, args = [] }: LaunchOptions): Promise<ThrottlingBrowser> {
  const userDataDir = mkdtempSync(join(tmpdir(), 'ovation-browser-'))
  const child = spawn(
    executablePath ?? chromium.executablePath(),
    [
      ...args,
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${userDataDir}`,
      `--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/${gracePeriodSeconds}`,
    ],
    { stdio: 'ignore' },
  )
  const kill = async () => {
    await killChild(child)
    // Chromium's child processes exit later than Chromium and write to the directory until then.
    await expect(async () => rmSync(userDataDir, { recursive: true, force: true })).toPass({
      timeout: 15_000,
    })
  }
  try {
    const browser = await chromium.connectOverCDP(await waitForDebuggingUrl(userDataDir), {
      noDefaults: true,
      timeout: 15_000,
    })
    const [context] = browser.contexts()
    if (!context) throw new Error('The browser has no context.')
    return {
      context,
      close: async () => {
        await browser.close()
        await kill()
      },
    }
  } catch (error) {
    await kill()
    throw error
  }
}

/** Waits until Chromium has written its debugging port to the user data directory, and returns the URL. */
async function waitForDebuggingUrl(userDataDir: string): Promise<string> {
  const path = join(userDataDir, 'DevToolsActivePort')
  const readPort = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n')[0] : '')
  await expect.poll(readPort, { timeout: 20_000, intervals: [50] }).toMatch(/^\d+$/)
  return `http://127.0.0.1:${readPort()}`
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  // A process that accepts no connection may ignore SIGTERM as well. A clean exit is not needed, because the profile
  // is deleted anyway.
  child.kill('SIGKILL')
  await exited
}
