import { ChakraProvider } from '@chakra-ui/react'
import { CacheProvider } from '@emotion/react'
import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { PrerenderedPage } from './features/landing/pages/LandingPage'
import { emotionCache } from './ui/style-cache'
import { system } from './ui/theme'

/**
 * Returns the landing page in English, as HTML with its styles, wrapped in the element that `boot.js` adds to the
 * document. The build calls this.
 */
export function prerenderLandingPage(): string {
  i18n.setMessagesCompiler((message) => compileMessage(message))
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  // Collects the styles instead of rendering them beside each element.
  emotionCache.compat = true
  const html = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <CacheProvider value={emotionCache}>
        <ChakraProvider value={system}>
          <MemoryRouter>
            <PrerenderedPage />
          </MemoryRouter>
        </ChakraProvider>
      </CacheProvider>
    </I18nProvider>,
  )
  const styles = Object.values(emotionCache.inserted).filter((rules) => typeof rules === 'string')
  // Out of the flow, so that the app does not move when it removes the element. The language can be changed only when
  // the app has loaded.
  const ownStyles = '#prerendered{position:absolute;inset:0 0 auto}#prerendered select{visibility:hidden}'
  return `<div id="prerendered"><style>${ownStyles}${styles.join('')}</style>${html}</div>`
}
