import Bowser from 'bowser'

/** What is told of a session's device. */
export interface Device {
  /** 'Firefox on Windows', or as much of it as is known. */
  name: string
  handheld: boolean
}

/** Reads the name that a browser or program gave itself when it signed in. */
export function deviceOf(userAgent: string | null): Device {
  if (!userAgent) return { name: 'Unknown device', handheld: false }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const known = [browser.name, os.name].filter(Boolean)
  return {
    // A program is no browser: it is shown by its own name.
    name: known.join(' on ') || userAgent.split(/[/ ]/)[0] || 'Unknown device',
    handheld: platform.type === 'mobile' || platform.type === 'tablet',
  }
}

/** Every name that is Bowser's own, and not taken from what it reads. */
const ownNames = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])

/**
 * What a notice or a mail calls the device that somebody signed in from. Whoever signs in writes its name: only what
 * is known as a browser's or a system's is repeated to the person whose account it is, and no words besides.
 */
export function deviceInNotices(userAgent: string | null): string {
  const { browser, os } = Bowser.parse(userAgent || '-')
  const known = [browser.name, os.name].filter((name) => name && ownNames.has(name))
  return known.join(' on ') || 'an unknown device'
}
