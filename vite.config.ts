import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import {
  type AliasOptions,
  defineConfig,
  minifySync,
  type Plugin,
  type PluginOption,
  runnerImport,
} from 'vite'
import { limits } from './supabase/functions/_shared/contract/limits.ts'
import { sessionCookieName } from './supabase/functions/_shared/contract/session-cookie.ts'

/** The platform's name. `index.html` and the app read it from the environment. */
process.env.VITE_APP_NAME ||= 'Ovation'
/** The origin of a statically hosted app, for link previews. The gateway inserts PUBLIC_URL itself. */
process.env.VITE_PUBLIC_URL = process.env.VITE_PUBLIC_URL?.replace(/\/+$/, '') ?? ''

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const root = toPath('./web')

const alias: AliasOptions = [
  { find: '@contract', replacement: toPath('./supabase/functions/_shared/contract') },
  { find: '@', replacement: toPath('./web/src') },
  // By default, Vite resolves the package to its development build, which contains warnings and is larger.
  {
    find: /^react-router$/,
    replacement: toPath('./node_modules/react-router/dist/production/index.mjs'),
  },
  {
    find: 'react-router/dom',
    replacement: toPath('./node_modules/react-router/dist/production/dom-export.mjs'),
  },
]

/** The URL of the stack to which the development server proxies requests. */
const platform = process.env.OVATION_PLATFORM ?? 'http://127.0.0.1:3000'
const proxiedPaths = ['/api', '/auth/v1', '/rest/v1', '/storage/v1', '/realtime/v1']

/**
 * Compiles Lingui's macros and catalogs. The English text stays in the code, so each screen loads its own text and
 * English needs no catalog.
 */
export const translation = (): PluginOption => [
  babel({
    presets: [
      defineRolldownBabelPreset({
        preset: { plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }]] },
        rolldown: { filter: { code: /@lingui\/(core|react)\/macro/ } },
      }),
    ],
  }),
  lingui({ failOnCompileError: true }),
]

/**
 * The chunks that screens share, each with the modules it starts from. A chunk contains these modules and everything
 * they import, except modules of earlier chunks. A few large chunks compress better than many small ones and take fewer
 * requests. The order keeps code that only signed-in users need out of the chunks that visitors download.
 */
const sharedChunks: [name: string, modules: RegExp][] = [
  ['controls', /[\\/]ui[\\/]LanguageSelect\.tsx$|[\\/]lib[\\/]uuid\.ts$|[\\/]useMutation(State)?\.js$/],
  ['schemas', /[\\/]contract[\\/](config|user|auth)\.ts$/],
  ['forms', /[\\/]form-submission\.ts$|[\\/]resolvers[\\/]zod/],
  ['captcha', /[\\/]Captcha\.tsx$/],
  ['posts', /[\\/](PostList|NewPostsButton|CommentsLayout)\.tsx$|[\\/]seen-updates\.ts$/],
  ['shell', /[\\/](Shell|HomeFeed|HomeSidebar)\.tsx$/],
  ['grid', /[\\/]PostGrid\.tsx$/],
  ['profile', /[\\/]ProfileRoute\.tsx$/],
]

/** The names of the chunks that every screen of signed-in users needs. */
const shellChunks = ['controls', 'schemas', 'posts', 'shell']

/** The names of the landing page's chunks. */
const landingChunks = ['controls', 'LandingPage']

const bootScript = readFileSync(toPath('./web/public/boot.js'), 'utf8')

/**
 * Minifies `boot.js`. In `index.html`, removes the app's script tag and the preloads of its files, so that `boot.js`
 * decides when the app is loaded and started, and adds the URLs that `boot.js` requests.
 */
const boot: Plugin = {
  name: 'boot',
  generateBundle() {
    const { code, errors } = minifySync('boot.js', bootScript, { module: false })
    if (errors[0]) throw new Error(`boot.js: ${errors[0].message}`)
    // Overwrites the unminified copy that Vite makes, because the file is in the public folder.
    this.emitFile({ type: 'asset', fileName: 'boot.js', source: code })
  },
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      // In development, the document itself starts the app.
      if (!bundle) return html
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const urlsOf = (names: string[]) =>
        chunks.filter(({ name }) => names.includes(name)).map(({ fileName }) => `/${fileName}`)
      const entryScript = /<script type="module" crossorigin src="([^"]*)"><\/script>/
      const entry = entryScript.exec(html)?.[1]
      if (!entry) throw new Error('index.html has no script tag for the app.')
      const modulePreload = /<link rel="modulepreload"[^>]* href="([^"]*)">\s*/g
      const imported = [...html.matchAll(modulePreload)].map(([, url]) => url)
      const attributes = [
        `data-app="${entry}"`,
        `data-app-files="${[entry, ...imported].join(' ')}"`,
        `data-session-cookie="${sessionCookieName}"`,
        `data-shell-files="${urlsOf(shellChunks).join(' ')}"`,
        `data-landing-files="${urlsOf(landingChunks).join(' ')}"`,
        'data-early-request="/api/auth/user"',
        `data-early-home-request="/api/posts?limit=${limits.page.posts}"`,
      ]
      return html
        .replace('src="/boot.js"', `src="/boot.js" ${attributes.join(' ')}`)
        .replace(entryScript, '')
        .replace(modulePreload, '')
    },
  },
}

/**
 * Adds the landing page to `index.html`, so that visitors see it before the app has loaded. It is in a template, which
 * `boot.js` shows only on the landing page, because static hosts respond to every URL with `index.html`. See
 * docs/decisions/055-prerendered-landing-page.md.
 */
const prerendering: Plugin = {
  name: 'prerendering',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: async (html, { bundle = {} }) => {
      const { module } = await runnerImport<{ prerenderLandingPage: () => string }>(
        toPath('./web/src/prerender.tsx'),
        {
          configFile: false,
          root,
          mode: 'production',
          resolve: { alias },
          plugins: [react(), translation()],
        },
      )
      const files = Object.values(bundle)
      const builtUrl = (sourceUrl: string) => {
        const name = sourceUrl.slice(1)
        const file = files.find((file) => file.type === 'asset' && file.originalFileNames.includes(name))
        if (!file) throw new Error(`The build has no file for ${sourceUrl}.`)
        return `/${file.fileName}`
      }
      const page = module.prerenderLandingPage().replace(/\/src\/[\w./-]+/g, builtUrl)
      return html.replace('<div id="root">', `<template>${page}</template>\n    <div id="root">`)
    },
  },
}

/**
 * Writes `sw.js`. Its content is different in each build, so browsers install the new service worker, which stores that
 * build's files.
 */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('The build has no index.html.')
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
      if (!entry) throw new Error('The build has no entry.')
      const source = readFileSync(toPath('./web/service-worker.js'), 'utf8')
      // The page contains the names of the chunks, which contain hashes, so it changes whenever a chunk changes. The
      // name of `boot.js` is fixed, so the file itself is hashed too.
      const build = createHash('sha256').update(page.source).update(bootScript).digest('hex').slice(0, 12)
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: source.replace('__BUILD__', build).replace('__ENTRY__', entry.fileName),
      })
    },
  },
}

export default defineConfig({
  root,
  publicDir: toPath('./web/public'),
  resolve: { alias },
  plugins: [react(), translation(), boot, prerendering, serviceWorker],
  worker: { format: 'es' },
  build: {
    outDir: toPath('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy forbids fonts and scripts in `data:` URLs, and separate files can be cached.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Lists the chunks and what each one imports, for analyzing a build. The gateway does not serve the list.
    manifest: true,
    rolldownOptions: {
      // Emotion imports these packages only for a function that the app does not use.
      treeshake: {
        moduleSideEffects: [{ test: /[\\/](hoist-non-react-statics|react-is)[\\/]/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: sharedChunks.length + 1 },
            ...sharedChunks.map(([name, test], index) => ({
              name,
              test,
              priority: sharedChunks.length - index,
            })),
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      proxiedPaths.map((path) => [path, { target: platform, ws: path === '/realtime/v1' }]),
    ),
  },
  preview: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      proxiedPaths.map((path) => [path, { target: platform, ws: path === '/realtime/v1' }]),
    ),
  },
})
