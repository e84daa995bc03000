// Finds a Chromium for the journeys: the one named, an installed one, Playwright's, else installs one.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(homedir(), 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** @param {string} name @returns {string | undefined} the program's path, if the shell would find it */
function onPath(name) {
  const found = spawnSync(platform() === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
  return found.status === 0 ? found.stdout.split(/\r?\n/)[0] : undefined
}

function installed() {
  for (const name of names) {
    const path = onPath(name)
    if (path) return path
  }
  return places.find((place) => existsSync(place))
}

async function playwrights() {
  const { chromium } = await import('playwright')
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : undefined
}

/** @param {string} command @param {string[]} args @returns {boolean} whether it ended well */
function run(command, args) {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 600_000 }).status === 0
}

function installWithSystem() {
  const root = typeof process.getuid === 'function' && process.getuid() === 0
  if (!root) return
  if (onPath('apt-get')) {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'])
  } else if (onPath('dnf')) run('dnf', ['install', '-y', 'chromium'])
  else if (onPath('apk')) run('apk', ['add', 'chromium'])
  else if (onPath('pacman')) run('pacman', ['-Sy', '--noconfirm', 'chromium'])
}

/**
 * The path of a Chromium or Chrome that starts.
 * @param {(line: string) => void} say where progress goes
 * @returns {Promise<string>}
 * @throws {Error} with one sentence that says what to install
 */
export async function findBrowser(say) {
  const found = process.env.CHROMIUM_PATH || installed() || (await playwrights())
  if (found) return found
  say('No Chromium here: fetching one with Playwright…')
  if (run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'])) {
    const path = await playwrights()
    if (path) return path
  }
  say('Playwright could not: trying the system’s package manager…')
  installWithSystem()
  const path = installed()
  if (path) return path
  throw new Error(
    'The journeys need a browser: install Chromium or Google Chrome, or name one in CHROMIUM_PATH.',
  )
}

/**
 * Chromium without what would show it on a screen: a journey costs it a quarter less of the processor's time. It has no
 * cameras, asks nobody to allow anything, and no tab of it is ever out of sight.
 * @returns {string | undefined} its path; undefined where there is none
 */
export const findHeadlessShell = () => process.env.HEADLESS_SHELL_PATH || onPath('chromium-headless-shell')

/** @param {string} path @returns {string} the browser's own name and version */
export function browserVersion(path) {
  return execFileSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8' }).trim()
}
