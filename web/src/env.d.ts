/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The product's name. The default is in `vite.config.ts`. */
  readonly VITE_APP_NAME: string
  /** The addresses on the legal pages. Defaults: `support@` and `privacy@` the site's domain. */
  readonly VITE_SUPPORT_EMAIL?: string
  readonly VITE_PRIVACY_EMAIL?: string
}

declare module '*.po' {
  export const messages: import('@lingui/core').Messages
}
