import Bowser from 'bowser'

/** What is known about a session's device. */
export interface Device {
  /** For example 'Firefox'. For an unknown program on an unknown system, the first word of its User-Agent header. */
  browser: string | undefined
  /** For example 'Windows'. */
  system: string | undefined
  handheld: boolean
}

/** Returns the device that a User-Agent header describes. */
export function describeDevice(userAgent: string | null): Device {
  if (!userAgent) return { browser: undefined, system: undefined, handheld: false }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const system = os.name || undefined
  return {
    browser: browser.name || (system ? undefined : userAgent.split(/[/ ]/)[0] || undefined),
    system,
    handheld: platform.type === 'mobile' || platform.type === 'tablet',
  }
}

/** Names from Bowser's own lists, as opposed to names that it copies from the header. */
const knownNames = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])

/**
 * Returns the device's name for a notification or email about a sign-in. The client that signs in chooses its
 * User-Agent header, so the name contains only known browser and system names.
 */
export function safeDeviceName(userAgent: string | null): string {
  const { browser, os } = Bowser.parse(userAgent || '-')
  const names = [browser.name, os.name].filter((name) => name && knownNames.has(name))
  return names.join(' on ') || 'an unknown device'
}
