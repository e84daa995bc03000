import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/** Where the texts of the web app are and where their translations go. See docs/guides/translate-the-app.md. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['es'],
  catalogs: [
    {
      path: '<rootDir>/web/src/locales/{locale}',
      include: ['<rootDir>/web/src'],
      exclude: ['**/*.test.{ts,tsx}'],
    },
  ],
  format: formatter({ lineNumbers: false }),
})
