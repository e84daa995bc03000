// Finds a Chromium-based browser: the one in CHROMIUM_PATH, an installed one or Playwright's. Installs one if there is
// none.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const paths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(homedir(), 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** @param {string} name @returns {string | undefined} the path of a program in PATH */
function findInPath(name) {
  const found = spawnSync(platform() === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
  return found.status === 0 ? found.stdout.split(/\r?\n/)[0] : undefined
}

function findInstalled() {
  for (const name of names) {
    const path = findInPath(name)
    if (path) return path
  }
  return paths.find((path) => existsSync(path))
}

async function findPlaywrightBrowser() {
  const { chromium } = await import('playwright')
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

/** @param {string} command @param {string[]} args @returns {boolean} whether it succeeded */
function run(command, args) {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 600_000 }).status === 0
}

/** @param {(line: string) => void} print */
function installSystemPackage(print) {
  const isRoot = typeof process.getuid === 'function' && process.getuid() === 0
  const isSupported = ['apt-get', 'dnf', 'apk', 'pacman'].some(findInPath)
  if (!isRoot || !isSupported) return
  print('The download failed: trying the system’s package manager …')
  if (findInPath('apt-get')) {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'])
  } else if (findInPath('dnf')) run('dnf', ['install', '-y', 'chromium'])
  else if (findInPath('apk')) run('apk', ['add', 'chromium'])
  else if (findInPath('pacman')) run('pacman', ['-Sy', '--noconfirm', 'chromium'])
}

/**
 * Finds or installs a Chromium-based browser.
 *
 * @param {(line: string) => void} print prints a line of progress
 * @returns {Promise<string>} the path of the browser
 * @throws {Error} if there is none and none can be installed; the message says what to install
 */
export async function findBrowser(print) {
  const found = process.env.CHROMIUM_PATH || findInstalled() || (await findPlaywrightBrowser())
  if (found) return found
  print('No Chromium found: downloading one with Playwright …')
  if (run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'])) {
    const path = await findPlaywrightBrowser()
    if (path) return path
  }
  installSystemPackage(print)
  const path = findInstalled()
  if (path) return path
  throw new Error(
    'No browser was found, and none could be installed: install Chromium or Google Chrome, or set CHROMIUM_PATH.',
  )
}

/**
 * Finds Chromium's headless shell, which needs a quarter less CPU time per browser test. It has no cameras and no
 * permission prompts, and its tabs are never hidden.
 *
 * @returns {string | undefined} the path of the headless shell; undefined if there is none
 */
export const findHeadlessShell = () =>
  process.env.HEADLESS_SHELL_PATH || findInPath('chromium-headless-shell')

/** @param {string} path @returns {string} the browser's name and version */
export function browserVersion(path) {
  return execFileSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8' }).trim()
}
