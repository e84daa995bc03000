import { paths } from '../../web/src/lib/paths.ts'
import { createResponseHeaders, type SiteConfig } from '../gateway/headers.ts'

/*
 * Generates the configuration for static hosts that serve the built web app in front of a Supabase project. The headers
 * are the same as the gateway's, so that both kinds of deployment are equally secure.
 */

export interface HostedSite extends SiteConfig {
  supabaseUrl: string
  /** The secret that proves to the functions that a request came through the host, or null. */
  proxySecret: string | null
  /** The header from which the functions read the client's address, if they are configured with the secret. */
  clientAddressHeader: string
}

/** The only header that Netlify always overwrites with the client's address. */
const netlifyAddressHeader = 'x-nf-client-connection-ip'

type Header = [name: string, value: string]

/** The headers for paths that match a pattern. All rules that match a path apply, and later ones take precedence. */
interface HeaderRule {
  /** A path, or a path prefix followed by `*`. */
  pattern: string
  headers: Header[]
}

/** The screens that the `pages` function serves. */
const previewScreens = ['post', 'profile']

const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())

/** Returns the headers for all files, and the additional headers for the assets and some screens. */
function listHeaderRules(site: SiteConfig): HeaderRule[] {
  const { page } = createResponseHeaders(site)
  const common = new Map(page(new Headers(), '/'))
  const screens = Object.values(paths)
    .map(({ path }) => path)
    .filter((path) => !previewScreens.includes(path.split('/')[1] ?? ''))
    .flatMap((path): HeaderRule[] => {
      const html = page(new Headers({ 'content-type': 'text/html' }), path.replace(/:\w+\??/, 'any'))
      html.delete('content-type')
      const headers = [...html].filter(([name, value]) => common.get(name) !== value)
      const withoutOptional = path.endsWith('?') ? [path.replace(/\/:.*/, '')] : []
      return [...withoutOptional, path.replace(/:.*/, '*')].map((pattern) => ({ pattern, headers }))
    })
    .filter(({ headers }) => headers.length > 0)
  return [
    { pattern: '/*', headers: [...common] },
    { pattern: '/assets/*', headers: [['cache-control', 'public, max-age=31536000, immutable'] as Header] },
    ...screens,
  ].map(({ pattern, headers }) => ({
    pattern,
    headers: headers.map(([name, value]): Header => [headerName(name), value]),
  }))
}

/** The configuration files, by file name. */
interface HostFiles {
  /** Files that are published with the web app. They contain no secret. */
  app: Record<string, string>
  /** Files for the operator, which may contain `proxySecret`. */
  operator: Record<string, string>
}

/** Returns the configuration for each host. */
export function createHostFiles(site: HostedSite): HostFiles {
  const rules = listHeaderRules(site)
  // With the secret, the functions trust the header. If Netlify did not overwrite it, clients could choose the address
  // that the functions see.
  const netlifySecret =
    site.clientAddressHeader.toLowerCase() === netlifyAddressHeader ? site.proxySecret : null
  return {
    app: {
      _headers: createHeadersFile(rules),
      // Netlify prefers `_redirects` to netlify.toml, which contains the rules with the secret.
      ...(netlifySecret ? {} : { _redirects: createRedirects(site) }),
      'vercel.json': createVercelConfig(site, rules),
    },
    operator: {
      ...(netlifySecret ? { 'netlify.toml': createNetlifyConfig(site, netlifySecret) } : {}),
      'nginx.conf': createNginxConfig(site, rules),
      Caddyfile: createCaddyfile(site, rules),
    },
  }
}

/** Returns the headers for Netlify and Cloudflare Pages, which join the values if several rules set the same header. */
const createHeadersFile = (rules: HeaderRule[]): string =>
  rules
    .map(
      ({ pattern, headers }) =>
        `${pattern}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`,
    )
    .join('\n')

/** Returns the forwarding rules, each from a path to the URL of a function. */
function listForwards({ supabaseUrl }: HostedSite): { from: string; to: string }[] {
  const functions = `${supabaseUrl}/functions/v1`
  return [
    { from: '/api', to: `${functions}/api` },
    ...previewScreens.map((screen) => ({ from: `/${screen}`, to: `${functions}/pages/${screen}` })),
  ]
}

/** Returns the rules for Netlify. Files of the app take precedence, except over rules with an exclamation mark. */
const createRedirects = (site: HostedSite): string =>
  [
    ...listForwards(site).map(({ from, to }) => `${from}/*  ${to}/:splat  200!`),
    '/assets/*  /not-found  404',
    '/*  /index.html  200',
    '',
  ].join('\n')

/** Returns the rules for Netlify with the secret, which `_redirects` cannot contain. */
function createNetlifyConfig(site: HostedSite, proxySecret: string): string {
  const headers = `  headers = { X-Proxy-Secret = ${JSON.stringify(proxySecret)} }\n`
  const rules = [
    ...listForwards(site).map(
      ({ from, to }) =>
        `  from = "${from}/*"\n  to = "${to}/:splat"\n  status = 200\n  force = true\n${headers}`,
    ),
    '  from = "/assets/*"\n  to = "/not-found"\n  status = 404\n',
    '  from = "/*"\n  to = "/index.html"\n  status = 200\n',
  ]
  return `[build]\n  publish = "dist"\n\n${rules.map((rule) => `[[redirects]]\n${rule}`).join('\n')}`
}

function createVercelConfig(site: HostedSite, rules: HeaderRule[]): string {
  const headers = rules.map((rule) => ({
    source: rule.pattern.replace('*', '(.*)'),
    headers: rule.headers.map(([key, value]) => ({ key, value })),
  }))
  const html = { key: 'Content-Type', value: 'text/html; charset=utf-8' }
  return `${JSON.stringify(
    {
      $schema: 'https://openapi.vercel.sh/vercel.json',
      headers: [
        ...headers,
        ...previewScreens.map((screen) => ({ source: `/${screen}/:path*`, headers: [html] })),
      ],
      rewrites: [
        ...listForwards(site).map(({ from, to }) => ({
          source: `${from}/:path*`,
          destination: `${to}/:path*`,
        })),
        { source: '/((?!assets/).*)', destination: '/index.html' },
      ],
    },
    null,
    2,
  )}\n`
}

/**
 * Returns a case-insensitive regular expression for an nginx map.
 *
 * @param end what must follow a pattern without `*`, after an optional slash
 */
const toRegExp = (pattern: string, end: string): string =>
  `~*^${pattern.endsWith('*') ? pattern.slice(0, -1) : pattern.replace(/\/$/, '')}${pattern.endsWith('*') ? '' : `/?${end}`}`

function createNginxConfig(site: HostedSite, rules: HeaderRule[]): string {
  const { hostname } = new URL(site.publicUrl)
  const supabase = new URL(site.supabaseUrl)
  const [common] = rules
  const screens = previewScreens.join('|')
  const names = [...new Set(rules.flatMap(({ headers }) => headers.map(([name]) => name)))]
  const variable = (name: string) => `$ovation_${name.toLowerCase().replaceAll('-', '_')}`
  // nginx omits headers with an empty value. A map uses the first regular expression that matches, so the lines are
  // reversed to let later rules take precedence.
  const maps = names.map((name) => {
    const lines = rules.flatMap(({ pattern, headers }) => {
      const value = headers.find(([each]) => each === name)?.[1]
      if (value === undefined) return []
      const key = pattern === '/*' ? 'default' : `"${toRegExp(pattern, '(\\?|$)')}"`
      return [`    ${key} "${value}";`]
    })
    // Without `no-cache`, browsers could keep a page whose assets the next deployment replaces. The functions set this
    // header themselves.
    if (name === 'Cache-Control')
      lines.push(`    "~^/(api|${screens})(/|\\?|$)" "";`, '    default "no-cache";')
    return `map $request_uri ${variable(name)} {\n${lines.reverse().join('\n')}\n}`
  })
  const forward = [
    `        proxy_set_header Host ${supabase.host};`,
    '        proxy_set_header X-Forwarded-For $remote_addr;',
    `        proxy_set_header ${site.clientAddressHeader} $remote_addr;`,
    ...(site.proxySecret ? [`        proxy_set_header X-Proxy-Secret "${site.proxySecret}";`] : []),
    '        proxy_ssl_server_name on;',
    // By default, nginx does not verify the certificate, and would send cookies and the secret to an impostor.
    '        proxy_ssl_verify on;',
    '        proxy_ssl_verify_depth 3;',
    '        proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;',
    '        proxy_http_version 1.1;',
    '        proxy_request_buffering off;',
    '        proxy_read_timeout 150s;',
  ].join('\n')
  return `${maps.join('\n\n')}

map $request_uri $ovation_content_type {
    "~^/(${screens})(/|\\?|$)" "text/html; charset=utf-8";
}

server {
    listen 80;
    listen [::]:80;
    server_name ${hostname};
    location / {
        return 301 https://$host$request_uri;
    }
}

server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name ${hostname};
    ssl_certificate     /etc/letsencrypt/live/${hostname}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/${hostname}/privkey.pem;

    root /var/www/ovation;
    client_max_body_size 105m;
    # Sends the compressed copies of files, whose names end in .gz.
    gzip_static on;

${names.map((name) => `    add_header ${name} ${variable(name)}${name === 'Cache-Control' ? '' : ' always'};`).join('\n')}
    add_header Content-Type $ovation_content_type always;

    # A name in a variable is resolved again after a minute. Otherwise, nginx would keep the address until it restarts.
    resolver 1.1.1.1 9.9.9.9 valid=60s;
    set $supabase ${supabase.origin};

    location /api/ {
        rewrite ^ /functions/v1$uri break;
        proxy_pass $supabase;
${forward}
    }

    location ~ ^/(${screens})(/|$) {
        rewrite ^ /functions/v1/pages$uri break;
        proxy_pass $supabase;
${forward}
        proxy_hide_header Content-Type;
${(common?.headers ?? []).map(([name]) => `        proxy_hide_header ${name};`).join('\n')}
    }

    location /assets/ {
        try_files $uri =404;
    }

    location / {
        try_files $uri /index.html;
    }
}
`
}

function createCaddyfile(site: HostedSite, rules: HeaderRule[]): string {
  const upstream = new URL(site.supabaseUrl).origin
  const forward = (extra: string[] = []) =>
    [
      `\t\treverse_proxy ${upstream} {`,
      '\t\t\theader_up Host {upstream_hostport}',
      `\t\t\theader_up ${site.clientAddressHeader} {remote_host}`,
      ...(site.proxySecret ? [`\t\t\theader_up X-Proxy-Secret "${site.proxySecret}"`] : []),
      ...extra,
      '\t\t}',
    ].join('\n')
  const lines: string[] = []
  for (const header of new Map(
    rules.flatMap(({ headers }) => headers).map((each) => [each.join(), each]),
  ).values()) {
    const patterns = rules.filter(({ headers }) => headers.some((each) => each.join() === header.join()))
    const [name, value] = header
    if (name === 'Cache-Control') continue
    if (patterns[0]?.pattern === '/*') {
      // With a question mark, Caddy sets a header only if the response does not have it.
      lines.push(`\theader ?${name} "${value}"`)
      continue
    }
    const paths = patterns.map(({ pattern }) => (pattern.endsWith('*') ? pattern : `${pattern} ${pattern}/`))
    const matcher = `@${name.toLowerCase()}`
    lines.push(`\t${matcher} path ${paths.join(' ')}`, `\theader ${matcher} ${name} "${value}"`)
  }
  const assets = rules.find(({ pattern }) => pattern === '/assets/*')?.headers ?? []
  return `${new URL(site.publicUrl).host} {
	root * /var/www/ovation
	encode zstd gzip

	header -Server
${lines.join('\n')}

	handle /api/* {
		request_body {
			max_size 110MB
		}
		rewrite * /functions/v1{uri}
${forward()}
	}

	@previews path ${previewScreens.map((screen) => `/${screen} /${screen}/*`).join(' ')}
	handle @previews {
		rewrite * /functions/v1/pages{uri}
${forward([
  '\t\t\theader_down Content-Type "text/html; charset=utf-8"',
  ...(rules[0]?.headers ?? []).map(([name]) => `\t\t\theader_down -${name}`),
])}
	}

	@assets {
		path /assets/*
		file
	}
	handle @assets {
${assets.map(([name, value]) => `\t\theader ${name} "${value}"`).join('\n')}
		file_server
	}
	handle /assets/* {
		respond 404
	}

	handle {
		header Cache-Control no-cache
		try_files {path} /index.html
		file_server
	}
}
`
}
