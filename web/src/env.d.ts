/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The product's name; `vite.config.ts` holds the default. */
  readonly VITE_APP_NAME: string
}
