import { excerpt } from '../contract/excerpt.ts'

/** The metadata of a profile's or a post's page, for search engines and services that show link previews. */
export interface LinkPreview {
  /** The canonical URL of the page. */
  url: string
  title: string
  description: string
  /** Null to keep the site's default image. */
  image: { url: string; isLarge: boolean; alt?: string; width?: number; height?: number } | null
  /** Further Open Graph properties. */
  properties: readonly (readonly [name: string, value: string])[]
  /** JSON-LD, in the vocabulary of schema.org. */
  structuredData: object
}

/** The result of `private.profile_preview`. */
export interface ProfileSource {
  username: string
  name: string
  imageUrl: string | null
  bio: string | null
}

/** The result of `private.post_preview`. */
export interface PostSource {
  id: string
  /** The text that anyone who can see the post can read: for a premium post, only the teaser. */
  text: string
  isPremium: boolean
  createdAt: string
  editedAt: string | null
  altText: string | null
  imageId: string | null
  imageWidth: number | null
  imageHeight: number | null
  author: Omit<ProfileSource, 'bio'>
}

export interface Site {
  publicUrl: string
  /** The origin of uploaded profile images. */
  storageUrl: string
  appName: string
}

const maxTitle = 60
const maxDescription = 200

const profileUrl = ({ username }: { username: string }, { publicUrl }: Site) =>
  `${publicUrl}/profile/${username}`

const person = (source: Omit<ProfileSource, 'bio'>, site: Site) => ({
  '@type': 'Person',
  name: excerpt(source.name, maxTitle),
  alternateName: `@${source.username}`,
  url: profileUrl(source, site),
  ...(source.imageUrl && { image: new URL(source.imageUrl, site.storageUrl).href }),
})

export function profilePreview(source: ProfileSource, site: Site): LinkPreview {
  const name = excerpt(source.name, maxTitle)
  const bio = excerpt(source.bio ?? '', maxDescription)
  return {
    url: profileUrl(source, site),
    title: `${name} (@${source.username})`,
    description: bio || `${name} is on ${site.appName}.`,
    image: source.imageUrl
      ? { url: new URL(source.imageUrl, site.storageUrl).href, isLarge: false, alt: name }
      : null,
    properties: [
      ['og:type', 'profile'],
      ['profile:username', source.username],
    ],
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      mainEntity: { ...person(source, site), ...(bio && { description: bio }) },
    },
  }
}

/** Returns the preview of a post. For a premium post, the title contains the teaser, and the description is generic. */
export function postPreview(source: PostSource, site: Site): LinkPreview {
  const url = `${site.publicUrl}/post/${source.id}`
  const name = excerpt(source.author.name, maxTitle)
  const heading = excerpt(source.text, maxTitle)
  const kind = source.isPremium ? 'Premium post' : 'Post'
  const description =
    (!source.isPremium && excerpt(source.text, maxDescription)) || `${kind} by ${name} on ${site.appName}.`
  const imageUrl = source.imageId && `${site.publicUrl}/api/media/${source.imageId}`
  const alt = excerpt(source.altText ?? '', maxDescription)
  return {
    url,
    title: heading ? `${name}: ${heading}` : `${kind} by ${name}`,
    description,
    image: imageUrl
      ? {
          url: imageUrl,
          isLarge: true,
          ...(alt && { alt }),
          ...(source.imageWidth &&
            source.imageHeight && { width: source.imageWidth, height: source.imageHeight }),
        }
      : null,
    properties: [
      ['og:type', 'article'],
      ['article:published_time', source.createdAt],
      ['article:author', profileUrl(source.author, site)],
    ],
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'SocialMediaPosting',
      url,
      headline: heading || `${kind} by ${name}`,
      ...(source.isPremium ? { isAccessibleForFree: false } : { articleBody: description }),
      datePublished: source.createdAt,
      ...(source.editedAt && { dateModified: source.editedAt }),
      author: person(source.author, site),
      ...(imageUrl && { image: imageUrl }),
    },
  }
}

/** Returns the app's page with the title, meta tags and structured data of a preview. */
export function renderLinkPreview(html: string, preview: LinkPreview, appName: string): string {
  const { url, title, description, image, properties, structuredData } = preview
  const replaced = image ? 'type|title|description|url|image[a-z:]*' : 'type|title|description|url'
  const tags = [
    `<title>${escapeHtml(`${title} · ${appName}`)}</title>`,
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    metaTag('name', 'description', description),
    metaTag('property', 'og:title', title),
    metaTag('property', 'og:description', description),
    metaTag('property', 'og:url', url),
    ...properties.map(([name, value]) => metaTag('property', name, value)),
    ...(image ? imageTags(image) : []),
    metaTag('name', 'twitter:card', image && !image.isLarge ? 'summary' : 'summary_large_image'),
    // Browsers do not run scripts of this type, so the Content-Security-Policy does not apply to them.
    `<script type="application/ld+json">${escapeScript(JSON.stringify(structuredData))}</script>`,
  ]
  return (
    html
      .replace(/\s*<title>[^<]*<\/title>/, '')
      .replace(/\s*<meta\s+name="(?:description|twitter:card)"[^>]*>/g, '')
      .replace(new RegExp(`\\s*<meta\\s+property="og:(?:${replaced})"[^>]*>`, 'g'), '')
      // A function, because patterns such as `$&` are special in a replacement string.
      .replace('</head>', () => `  ${tags.join('\n    ')}\n  </head>`)
  )
}

function imageTags({ url, alt, width, height }: NonNullable<LinkPreview['image']>): string[] {
  return [
    metaTag('property', 'og:image', url),
    ...(alt ? [metaTag('property', 'og:image:alt', alt)] : []),
    ...(width && height
      ? [
          metaTag('property', 'og:image:width', String(width)),
          metaTag('property', 'og:image:height', String(height)),
        ]
      : []),
  ]
}

const metaTag = (attribute: 'name' | 'property', name: string, value: string) =>
  `<meta ${attribute}="${name}" content="${escapeHtml(value)}" />`

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/**
 * Escapes JSON for a script element. Without escaping, `</script>` in a string would end the element, and `<!--` could
 * prevent a later `</script>` from ending it.
 */
const escapeScript = (json: string): string =>
  json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
