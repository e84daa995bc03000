import { useEffect } from 'react'
import { appName } from '@/lib/app-name'
import { withoutBidiControls } from '@/lib/bidi'

/** More are not counted in a tab. */
const most = 99

let page: string | undefined
let unread = 0

/** '(3) Messages · Ovation': how much is unread, the page, and the site; what is not there is left out. */
export function formatDocumentTitle(page: string | undefined, unread: number, site: string): string {
  const count = unread > most ? `(${most}+) ` : unread > 0 ? `(${unread}) ` : ''
  return count + (page ? `${withoutBidiControls(page)} · ${site}` : site)
}

/** Names the page in the tab and in the history: 'Messages · Ovation', or the name alone. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    page = title
    document.title = formatDocumentTitle(page, unread, appName)
  }, [title])
}

/** Says in the tab how much is unread, in its title and with a dot on its picture. */
export function showUnreadInTitle(count: number): void {
  unread = count
  document.title = formatDocumentTitle(page, unread, appName)
  const picture = document.querySelector('link[rel="icon"]')
  const href = count > 0 ? '/favicon-unread.svg' : '/favicon.svg'
  if (picture?.getAttribute('href') !== href) picture?.setAttribute('href', href)
}
