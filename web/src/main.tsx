import '@fontsource-variable/bricolage-grotesque/wght.css'
import '@fontsource-variable/inter/wght.css'
import './app/fonts.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import './app/connection-recovery'
import './app/error-handling'
import { App } from './app/App'
import { activateInitialLanguage } from './locales/language'
import { followSystemColorMode } from './ui/color-mode'

followSystemColorMode()
// The router restores the scroll position. The browser would do so before the content has its full height.
window.history.scrollRestoration = 'manual'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
// In a transition, React renders in short steps, so that the page can respond to input in between.
const render = () =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
// Not awaited: with a top-level await, Rolldown splits the app into many small files.
void activateInitialLanguage().then(render)
