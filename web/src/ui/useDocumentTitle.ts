import { useEffect } from 'react'
import { appName } from '@/appName'
import { withoutBidiControls } from '@/lib/bidi'

/** Names the page in the tab and in the history: 'Messages · Ovation', or the name alone. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${withoutBidiControls(title)} · ${appName}` : appName
  }, [title])
}
