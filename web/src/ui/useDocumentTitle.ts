import { useEffect } from 'react'
import { appName } from '@/lib/config'
import { withoutBidiControls } from '@/lib/text'

const maxShownUnread = 99

let page: string | undefined
let unread = 0

/** Returns the unread count, the page and the site as '(3) Messages · Ovation', without the parts that are empty. */
export function formatDocumentTitle(page: string | undefined, unread: number, site: string): string {
  const count = unread > maxShownUnread ? `(${maxShownUnread}+) ` : unread > 0 ? `(${unread}) ` : ''
  return count + (page ? `${withoutBidiControls(page)} · ${site}` : site)
}

/** Sets the document's title: 'Messages · Ovation', or only the app's name. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    page = title
    document.title = formatDocumentTitle(page, unread, appName)
  }, [title])
}

/** Shows the unread count in the document's title, and a dot on the favicon if the count is above zero. */
export function showUnreadInTitle(count: number): void {
  unread = count
  document.title = formatDocumentTitle(page, unread, appName)
  const favicon = document.querySelector('link[rel="icon"]')
  const href = count > 0 ? '/favicon-unread.svg' : '/favicon.svg'
  if (favicon?.getAttribute('href') !== href) favicon?.setAttribute('href', href)
}
