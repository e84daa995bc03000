/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The product's name. The default is in `vite.config.ts`. */
  readonly VITE_APP_NAME: string
  /**
   * The email addresses on the legal pages. The defaults are `support@` and `privacy@`, each followed by the site's
   * domain.
   */
  readonly VITE_SUPPORT_EMAIL?: string
  readonly VITE_PRIVACY_EMAIL?: string
}

interface Window {
  /** Set by `public/boot.js` if the app started because the visitor interacted with the landing page. */
  hasInteracted?: boolean
  /** Set by `public/boot.js` and used by `lib/api.ts`. The keys of `responses` are paths. */
  earlyRequests?: { cookies: string; responses: Map<string, Promise<Response>> }
}

declare module '*.po' {
  export const messages: import('@lingui/core').Messages
}
