import { ChakraProvider, LocaleProvider } from '@chakra-ui/react'
import { CacheProvider } from '@emotion/react'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router-dom'
import { queryClient } from '@/lib/query-client'
import { useLanguage } from '@/locales/language'
import { emotionCache } from '@/ui/style-cache'
import { system } from '@/ui/theme'
import { Toaster } from '@/ui/toaster'
import { router } from './router'

export function App() {
  useLanguage()
  return (
    // The key remounts everything when the language changes, so that components need not subscribe to the language.
    <I18nProvider i18n={i18n} key={i18n.locale}>
      <LocaleProvider locale={i18n.locale}>
        <CacheProvider value={emotionCache}>
          <ChakraProvider value={system}>
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
              <Toaster />
            </QueryClientProvider>
          </ChakraProvider>
        </CacheProvider>
      </LocaleProvider>
    </I18nProvider>
  )
}
