/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The product's name; `vite.config.ts` holds the default. */
  readonly VITE_APP_NAME: string
  /** Where the legal pages say to write to; else `support@` and `privacy@` the site's own domain. */
  readonly VITE_SUPPORT_EMAIL?: string
  readonly VITE_PRIVACY_EMAIL?: string
}
