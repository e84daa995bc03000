import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type LinkPreview,
  postPreview,
  renderLinkPreview,
} from '../../supabase/functions/_shared/link-previews/preview.ts'
import { sendRawRequest } from '../stack/raw-request.ts'
import { authorizationHeader } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { type FunctionServer, startPagesServer } from '../support/function-server.ts'
import { listen } from '../support/listen.ts'
import { createPng } from '../support/media-files.ts'
import { sql, stack } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

const origin = stack.apiUrl
let author: TestUser

const servers: FunctionServer[] = []
/** Starts the Edge Function `pages`, which serves profiles and posts if a static host serves the web app. */
async function serve(settings: Record<string, string>): Promise<FunctionServer> {
  const server = await startPagesServer({ LOG_LEVEL: 'warn', ...settings })
  servers.push(server)
  return server
}
afterAll(() => {
  for (const server of servers) server.stop()
})

beforeAll(async () => {
  ;({ author } = await createUsers('author'))
  await makeCreator(author)
  await sql`update public.profiles set full_name = 'Ana Torres', first_name = null, last_name = null where id = ${author.id}`
})

/** A page, with the parts that search engines and link preview services read. */
interface Page {
  status: number
  robots: unknown
  title: string
  /** The content of the meta tags, keyed by `name` or `property`. */
  meta: Record<string, string>
  canonical: string | undefined
  /** The structured data (JSON-LD). */
  data: Record<string, unknown> | null
  html: string
}

const decode = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' })[entity] ?? "'",
  )

async function fetchPage(path: string, base = origin, headers: Record<string, string> = {}): Promise<Page> {
  // `fetch` would send `Sec-Fetch-Mode: cors`, which a page load does not.
  const response = await sendRawRequest(Number(new URL(base).port), path, { accept: 'text/html', ...headers })
  return parsePage(response.body, response.status, response.headers['x-robots-tag'] ?? null)
}

function parsePage(html: string, status = 200, robots: unknown = null): Page {
  const meta = [...html.matchAll(/<meta\s+(?:name|property)="([^"]+)"\s+content="([^"]*)"/g)]
  const names = meta.map(([, name]) => name)
  // Each tag except `theme-color` occurs only once.
  expect(names.filter((name, index) => name !== 'theme-color' && names.indexOf(name) !== index)).toEqual([])
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1]
  return {
    status,
    robots,
    title: decode(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''),
    meta: Object.fromEntries(meta.map(([, name = '', content = '']) => [name, decode(content)])),
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1],
    data: json ? (JSON.parse(json) as Record<string, unknown>) : null,
    html,
  }
}

const publish = async (body: Record<string, unknown>) => (await createPost(author, body)).id

const setBio = ({ id }: TestUser, bio: string | null) =>
  sql`update public.profile_details set bio = ${bio} where user_id = ${id}`

/** Checks that a page is the site's generic page, which is also served for unknown profiles and posts. */
function expectGeneric(page: Page, generic: Page): void {
  expect(page).toEqual({ ...generic, robots: 'noindex' })
}

describe('a profile page', () => {
  it('has the title, description and picture of a public profile, and may be indexed', async () => {
    await setBio(author, 'Bread & clay.\nPhotos from Lisbon')
    await sql`update public.profiles set profile_image_url = '/storage/v1/object/public/avatars/a.webp' where id = ${author.id}`
    const url = `${origin}/profile/${author.username}`
    for (const path of [
      `/profile/${author.username}`,
      `/profile/${author.id}`,
      `/Profile/${author.username.toUpperCase()}/`,
    ]) {
      const { status, robots, title, meta, canonical, data } = await fetchPage(path)
      expect([path, status, robots, canonical]).toEqual([path, 200, null, url])
      expect(title).toBe(`Ana Torres (@${author.username}) · Ovation`)
      const image = `${origin}/storage/v1/object/public/avatars/a.webp`
      expect(meta).toMatchObject({
        description: 'Bread & clay. Photos from Lisbon',
        'og:title': `Ana Torres (@${author.username})`,
        'og:description': 'Bread & clay. Photos from Lisbon',
        'og:url': url,
        'og:type': 'profile',
        'og:site_name': 'Ovation',
        'og:image': image,
        'profile:username': author.username,
        'twitter:card': 'summary',
      })
      expect(data).toMatchObject({
        '@type': 'ProfilePage',
        mainEntity: {
          '@type': 'Person',
          name: 'Ana Torres',
          alternateName: `@${author.username}`,
          url,
          image,
        },
      })
    }
  })

  it('also preloads the files of the app shell for browsers with a session', async () => {
    const path = `/profile/${author.username}`
    const countPreloads = ({ html }: Page) => html.match(/<link rel="modulepreload"/g)?.length ?? 0
    const [visited, signedIn] = [
      await fetchPage(path),
      await fetchPage(path, origin, { cookie: 'ovation-auth=x' }),
    ]
    expect(signedIn.title).toBe(visited.title)
    expect(countPreloads(signedIn)).toBeGreaterThan(countPreloads(visited))
  })

  it('is the generic page for everybody if visitors cannot see the profile or the profile must not be indexed', async () => {
    const changes = {
      followers: (id: string) => sql`update public.profiles set visibility = 'followers' where id = ${id}`,
      private: (id: string) => sql`update public.profiles set visibility = 'private' where id = ${id}`,
      undiscoverable: (id: string) =>
        sql`update public.profiles set content_discoverable = false where id = ${id}`,
      unlisted: (id: string) => sql`update public.profiles set show_in_directory = false where id = ${id}`,
      suspended: (id: string) =>
        sql`update public.accounts set read_only_reason = 'suspended' where user_id = ${id}`,
    }
    const generic = await fetchPage(`/profile/nobody_${author.username.slice(0, 10)}`)
    expect([generic.status, generic.robots, generic.canonical, generic.data]).toEqual([
      200,
      'noindex',
      undefined,
      null,
    ])
    expect(generic.title).toBe('Ovation')
    for (const [name, change] of Object.entries(changes)) {
      const user = await createUser()
      await setBio(user, 'A secret bio')
      await change(user.id)
      for (const headers of [undefined, authorizationHeader(user)]) {
        const page = await fetchPage(`/profile/${user.username}`, origin, headers)
        expect([name, page.html.includes('secret'), page.html.includes(user.username)]).toEqual([
          name,
          false,
          false,
        ])
        expectGeneric(page, generic)
        expectGeneric(await fetchPage(`/profile/${user.id}`, origin, headers), generic)
      }
    }
    // Paths that have no preview or contain an invalid identifier get the generic page too.
    for (const path of [
      `/profile/${author.username}/followers`,
      '/profile',
      '/profile/%61na',
      "/profile/'or'1",
      '/post/x',
    ])
      expectGeneric(await fetchPage(path), generic)
    expect((await fetchPage(`/profile/${author.username}/x/y`)).status).toBe(404)
  })
})

describe('a post page', () => {
  it('has the text and the picture of a public post', async () => {
    const { imageUrl } = await uploadImage(author, createPng({ width: 48, height: 32 }))
    const content = `Day ${'one '.repeat(80)}at the mill`
    const id = await publish({ content, imageUrl, altText: 'A loaf' })
    const { robots, title, meta, canonical, data } = await fetchPage(`/post/${id}`)
    const url = `${origin}/post/${id}`
    expect([robots, canonical]).toEqual([null, url])
    expect(title).toMatch(/^Ana Torres: Day one one .*one… · Ovation$/)
    expect([...(meta['og:title'] ?? '')].length).toBeLessThanOrEqual(75)
    expect([...(meta.description ?? '')].length).toBeLessThanOrEqual(200)
    expect(meta).toMatchObject({
      'og:type': 'article',
      'og:url': url,
      'og:image': `${origin}${imageUrl}`,
      'og:image:alt': 'A loaf',
      'og:image:width': '48',
      'twitter:card': 'summary_large_image',
    })
    expect(meta['og:image:type']).toBeUndefined()
    expect(data).toMatchObject({
      '@type': 'SocialMediaPosting',
      url,
      author: { name: 'Ana Torres', url: `${origin}/profile/${author.username}` },
    })
    // Services that show the preview fetch the picture without a session.
    expect((await fetch(String(meta['og:image']))).status).toBe(200)
    const withoutText = await publish({
      content: '',
      imageUrl: (await uploadImage(author)).imageUrl,
    })
    expect((await fetchPage(`/post/${withoutText}`)).title).toBe('Post by Ana Torres · Ovation')
  })

  it('shows the teaser of a premium post in its title, and no paid content', async () => {
    const { imageUrl } = await uploadImage(author)
    const paid = {
      isPremium: true,
      premiumPrice: 5,
      content: 'The secret recipe',
      altText: 'A secret picture',
      imageUrl,
    }
    const id = await publish({ ...paid, teaser: 'My sourdough recipe' })
    const authorHeaders = authorizationHeader(author)
    for (const headers of [undefined, authorHeaders]) {
      const page = await fetchPage(`/post/${id}`, origin, headers)
      expect(page.title).toBe('Ana Torres: My sourdough recipe · Ovation')
      expect(page.meta.description).toBe('Premium post by Ana Torres on Ovation.')
      expect(page.meta['og:image']).toBe(`${origin}/social-preview.jpg`)
      expect(page.data).toMatchObject({ isAccessibleForFree: false })
      expect(page.html).not.toMatch(/secret|api\/media/)
    }
    const other = await uploadImage(author)
    const postWithoutTeaser = await publish({ ...paid, imageUrl: other.imageUrl })
    expect((await fetchPage(`/post/${postWithoutTeaser}`)).title).toBe('Premium post by Ana Torres · Ovation')
  })

  it('is the generic page if visitors cannot see the post or the post must not be indexed', async () => {
    const generic = await fetchPage(`/post/${randomUUID()}`)
    expect([generic.status, generic.robots]).toEqual([200, 'noindex'])
    const hide = (state: string) => (_: string, postId: string) =>
      sql`update public.posts set hidden = ${state} where id = ${postId}`
    const changes: Record<string, (userId: string, postId: string) => Promise<unknown>> = {
      followers: (id) => sql`update public.profiles set visibility = 'followers' where id = ${id}`,
      private: (id) => sql`update public.profiles set visibility = 'private' where id = ${id}`,
      undiscoverable: (id) => sql`update public.profiles set content_discoverable = false where id = ${id}`,
      suspended: (id) => sql`update public.accounts set read_only_reason = 'suspended' where user_id = ${id}`,
      hidden: hide('hidden'),
      removed: hide('removed'),
      deleted: (_, id) => sql`delete from public.posts where id = ${id}`,
    }
    for (const [name, change] of Object.entries(changes)) {
      const user = await createUser()
      const [row] = await sql<{ id: string }[]>`
        insert into public.posts (author_id, content) values (${user.id}, 'A secret post') returning id`
      await change(user.id, row?.id ?? '')
      const page = await fetchPage(`/post/${row?.id}`)
      expect([name, page.html.includes('secret')]).toEqual([name, false])
      expectGeneric(page, generic)
    }
  })
})

describe('a preview that was shown before', () => {
  it('disappears as soon as the profile becomes private or the post is hidden', async () => {
    const user = await createUser()
    const [post] = await sql<{ id: string }[]>`
      insert into public.posts (author_id, content) values (${user.id}, 'A secret post') returning id`
    const paths = [`/profile/${user.username}`, `/post/${post?.id}`]
    const { url } = await serve({ PUBLIC_SUPABASE_URL: origin })
    const robots = async () => {
      const pages = paths.flatMap((path) => [fetchPage(path), fetchPage(`/pages${path}`, url)])
      return (await Promise.all(pages)).map((page) => page.robots)
    }
    // On a busy machine, a page can be sent without its preview.
    await expect.poll(robots).toEqual([null, null, null, null])
    await sql`update public.posts set hidden = 'hidden' where id = ${post?.id ?? ''}`
    expect((await robots()).slice(2)).toEqual(['noindex', 'noindex'])
    await expect.poll(robots).toEqual([null, null, 'noindex', 'noindex'])
    await sql`update public.posts set hidden = null where id = ${post?.id ?? ''}`
    await sql`update public.profiles set visibility = 'private' where id = ${user.id}`
    expect(await robots()).toEqual(['noindex', 'noindex', 'noindex', 'noindex'])
    expect((await fetch(`${url}/pages${paths[0]}`)).headers.get('cache-control')).toBe('no-cache')
  })
})

describe('hostile text in a preview', () => {
  const hostile = [
    `"><script>alert(1)</script>`,
    `</title><script>alert(1)</script>`,
    `</script><!--<script>alert(1)`,
    `' onload='alert(1)`,
    "$& $1 $` $' $$",
    '\u202Eevil\u2066 \u0007 line\u2028two',
    '&lt;b&gt; &amp;',
    '😀'.repeat(300),
  ]

  it.each(hostile)('is escaped and cannot close its element: %j', async (text) => {
    const { html } = await fetchPage('/login')
    const site = {
      publicUrl: 'https://ovation.example',
      storageUrl: 'https://files.example',
      appName: 'Ovation',
    }
    const previewOf = (content: string): LinkPreview =>
      postPreview(
        {
          id: randomUUID(),
          text: content,
          isPremium: false,
          createdAt: '2026-01-01T00:00:00+00:00',
          editedAt: null,
          altText: content,
          imageId: randomUUID(),
          imageWidth: 1,
          imageHeight: 1,
          author: { username: 'ana', name: content, imageUrl: null },
        },
        site,
      )
    const preview = previewOf(text)
    const rendered = renderLinkPreview(html, preview, 'Ovation')
    const page = parsePage(rendered)
    const tags = (source: string) =>
      [...source.matchAll(/<\/?([a-z!-]+)/gi)].map(([tag]) => tag.toLowerCase())
    expect(tags(rendered)).toEqual(tags(renderLinkPreview(html, previewOf('Harmless'), 'Ovation')))
    expect(page.title).toBe(`${preview.title} · Ovation`)
    expect(page.meta.description).toBe(preview.description)
    expect(page.meta['og:image:alt']).toBe(preview.image?.alt)
    expect(page.data).toEqual(JSON.parse(JSON.stringify(preview.structuredData)))
    expect(rendered).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u2028]/)
    expect([...page.title].length).toBeLessThan(140)
    expect(rendered.endsWith(html.slice(html.indexOf('</head>')))).toBe(true)
  })
})

describe('the Edge Function `pages`', () => {
  it('serves the page of the static host, with its security headers and the same previews as the embedded stack', async () => {
    const { url } = await serve({ PUBLIC_SUPABASE_URL: origin })
    const id = await publish({ content: 'From Supabase' })
    for (const path of [`/post/${id}`, `/profile/${author.username}`]) {
      const { html: _, ...expected } = await fetchPage(path)
      // On a busy machine, a page can be sent without its preview.
      await expect.poll(() => fetchPage(`/pages${path}`, url)).toMatchObject(expected)
    }
    const unknown = await fetch(`${url}/pages/post/${randomUUID()}`)
    expect([unknown.status, unknown.headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
    expect(unknown.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(unknown.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await unknown.text()).toContain('<div id="root">')
    expect((await fetch(`${url}/pages/post/${id}`, { method: 'POST' })).status).toBe(405)
  })

  it('serves the page without a preview while the database is down or does not respond', async () => {
    const unresponsiveServer = await listen(createServer())
    try {
      for (const database of ['127.0.0.1:1', `127.0.0.1:${unresponsiveServer.port}`]) {
        const server = await serve({ DATABASE_URL: `postgres://gateway:x@${database}/postgres` })
        const startedAt = performance.now()
        const page = await fetchPage(`/pages/profile/${author.username}`, server.url)
        expect([page.status, page.robots, page.canonical]).toEqual([200, 'noindex', undefined])
        expect(page.html).toContain('<div id="root">')
        expect(performance.now() - startedAt).toBeLessThan(5000)
        const failures = () => server.output().split('link_preview_failed').length - 1
        await expect.poll(failures).toBe(1)
        // For five seconds after a failure, pages are served without querying the database.
        await fetchPage(`/pages/profile/${author.id}`, server.url)
        expect(failures()).toBe(1)
      }
    } finally {
      await unresponsiveServer.stop()
    }
  })

  it('returns 503 if the static host is down and no copy of its page is cached', async () => {
    const { url } = await serve({ PUBLIC_URL: 'http://127.0.0.1:1' })
    expect((await fetch(`${url}/pages/post/${randomUUID()}`)).status).toBe(503)
  })
})
