import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { root } from '../../scripts/lib/paths.mjs'
import { type LocalServer, listen } from './listen.ts'

type Manifest = { name: string; version: string }

/** Returns the directories of the installed packages, by name and version. */
function findPackages(): Map<string, Map<string, string>> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object }
  const found = new Map<string, Map<string, string>>()
  for (const path of Object.keys(lock.packages)) {
    if (path === '') continue
    try {
      const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest
      found.set(name, (found.get(name) ?? new Map<string, string>()).set(version, join(root, path)))
    } catch {
      // Packages for other platforms are not installed.
    }
  }
  return found
}

/** Returns a package as a compressed archive, like those of npm. */
async function packPackage(directory: string): Promise<Buffer> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(directory, path).startsWith('node_modules'))
    .map((path) => {
      const body = readFileSync(path)
      return {
        header: { name: `package/${relative(directory, path)}`, size: body.length, mode: 0o644 },
        body,
      }
    })
  return gzipSync(await packTar(entries), { level: 1 })
}

/** Starts an npm registry that serves the packages in `node_modules` on the loopback interface. */
export async function startPackageRegistry(): Promise<LocalServer> {
  const packages = findPackages()
  const http = createServer((request, response) => {
    const [, name = '', version] =
      /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url ?? '')) ?? []
    const versions = packages.get(name)
    if (!versions) return void response.writeHead(404).end()
    if (version === undefined) {
      const manifests = [...versions].map(([each, directory]) => {
        const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as object
        return [each, { ...manifest, dist: { tarball: `${server.url}/${name}/-/${each}.tgz` } }] as const
      })
      const latest = manifests.at(-1)?.[0]
      const body = { name, versions: Object.fromEntries(manifests), 'dist-tags': { latest } }
      return void response.end(JSON.stringify(body))
    }
    packPackage(versions.get(version) ?? '').then(
      (archive) => response.end(archive),
      () => response.writeHead(404).end(),
    )
  })
  const server = await listen(http)
  return server
}
