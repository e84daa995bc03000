import '@fontsource-variable/bricolage-grotesque/wght.css'
import '@fontsource-variable/inter/wght.css'
import './app/fonts.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { followSystemColorMode } from './ui/color-mode'

followSystemColorMode()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
