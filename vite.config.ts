import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The product's name, here and nowhere else: `index.html` and the app read it from the environment. */
process.env.VITE_APP_NAME ||= 'Ovation'
/** Where the app will stand, for the preview of its link; the stack's own gateway knows without it. */
process.env.VITE_PUBLIC_URL = process.env.VITE_PUBLIC_URL?.replace(/\/+$/, '') ?? ''

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where `vite` finds the running platform; the built app is served by the platform itself. */
const platform = process.env.OVATION_PLATFORM ?? 'http://127.0.0.1:3000'
const proxied = ['/api', '/auth/v1', '/rest/v1', '/storage/v1', '/realtime/v1']

export default defineConfig({
  root: here('./web'),
  publicDir: here('./web/public'),
  resolve: {
    alias: {
      '@contract': here('./supabase/functions/_shared/contract'),
      '@': here('./web/src'),
    },
  },
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no data: fonts or scripts, and a cached file beats an inlined one.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Names the files of each entry, so that a script can say what a page loads.
    manifest: true,
    // What every page begins with comes in one file: compressed as a whole it is smaller than in thirty, and asked for once.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } } },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      proxied.map((path) => [path, { target: platform, ws: path === '/realtime/v1' }]),
    ),
  },
  preview: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      proxied.map((path) => [path, { target: platform, ws: path === '/realtime/v1' }]),
    ),
  },
})
