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
    name: known.join(' on ') || (userAgent.split(/[/ ]/)[0] ?? userAgent),
    handheld: platform.type === 'mobile' || platform.type === 'tablet',
  }
}
