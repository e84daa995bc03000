const given = {
  support: import.meta.env.VITE_SUPPORT_EMAIL,
  privacy: import.meta.env.VITE_PRIVACY_EMAIL,
}

/** Where to write to: what the build was given, else this name at the site's own domain. */
export function contactEmail(name: keyof typeof given, host = window.location.hostname): string {
  return given[name] || `${name}@${domainOf(host)}`
}

/** Mail has no place at a bare number: who looks at the site there is on the machine itself, or trying it out. */
function domainOf(host: string): string {
  return /^[\d.]+$|:/.test(host) ? 'localhost' : host.replace(/^www\./, '')
}
