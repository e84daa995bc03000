import type { Config } from '@contract/config.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryKeys } from './query-client'

/** The product's name. */
export const appName: string = import.meta.env.VITE_APP_NAME

let configRequest: Promise<Config> | null = null

/** Returns the server's public configuration. Requests it once, and again only after a failure. */
export function getConfig(): Promise<Config> {
  configRequest ??= requestConfig().catch((error: unknown) => {
    configRequest = null
    throw error
  })
  return configRequest
}

// Does not use `api`, because `api` may renew the session, which needs the configuration first.
async function requestConfig(): Promise<Config> {
  const request = fetch('/api/config', { headers: { accept: 'application/json' } })
  // The schema is not imported above: every page loads this file, and zod is large.
  const [response, { Config }] = await Promise.all([request, import('@contract/config.ts')])
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return Config.parse(await response.json())
}

export const configQuery = queryOptions({ queryKey: queryKeys.config, queryFn: getConfig })

/** The start of a public file's address as the database stores it: a path without an origin. */
const storagePath = '/storage/'

/** Returns the URL of a public file for a page at `pageOrigin`. Returns any other address unchanged. */
export function publicFileUrl(address: string, supabaseUrl: string, pageOrigin: string): string {
  if (!address.startsWith(storagePath) || new URL(supabaseUrl).origin === pageOrigin) return address
  return `${supabaseUrl.replace(/\/+$/, '')}${address}`
}

/**
 * Returns the URL of a user's avatar or cover image, on this site's origin or on Supabase's. Returns null if there is
 * no address or if the configuration has not loaded yet.
 */
export function usePublicFileUrl(address: string | null): string | null {
  const needsConfig = address?.startsWith(storagePath) ?? false
  const { data, isError } = useQuery({ ...configQuery, enabled: needsConfig })
  if (!address || !needsConfig) return address
  if (data) return publicFileUrl(address, data.supabaseUrl, window.location.origin)
  return isError ? address : null
}
