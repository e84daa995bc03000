import { paths } from './paths.ts'

/** A screen, by the name that its address has in `paths`. */
export type Screen = keyof typeof paths

/** What search engines may list. Not what people write: nobody has been asked whether theirs may be found there. */
const listed: ReadonlySet<Screen> = new Set<Screen>(['home', 'register', 'terms', 'privacy'])

const patterns = Object.entries(paths).map(([name, { path }]) => [name as Screen, toPattern(path)] as const)

/**
 * Which screen the router shows at a path (without query), or null where it shows that there is none. As the router
 * does, it minds neither the case of letters nor a slash at the end.
 */
export function screenAt(pathname: string): Screen | null {
  return patterns.find(([, pattern]) => pattern.test(pathname))?.[0] ?? null
}

/** Whether search engines may list what is at a path. */
export function isListed(pathname: string): boolean {
  const screen = screenAt(pathname)
  return screen !== null && listed.has(screen)
}

function toPattern(path: string): RegExp {
  const parts = path.split('/').slice(1)
  const source = parts.map((part) => {
    if (part === '') return ''
    if (!part.startsWith(':')) return `/${part}`
    return part.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+'
  })
  return new RegExp(`^${source.join('')}/?$`, 'i')
}
