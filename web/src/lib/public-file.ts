import { useQuery } from '@tanstack/react-query'
import { configQuery } from './config'

/** What the addresses of public files begin with, as people's records keep them: without the site that has them. */
const stored = '/storage/'

/** Where a public file is reached from a page of `pageOrigin`; any other address stays as it is. */
export function publicFileUrl(address: string, supabaseUrl: string, pageOrigin: string): string {
  if (!address.startsWith(stored) || new URL(supabaseUrl).origin === pageOrigin) return address
  return `${supabaseUrl.replace(/\/+$/, '')}${address}`
}

/**
 * Where a person's picture or cover is reached: on this site, or on Supabase's own where that is another one. Null
 * without an address, and until the page knows which of the two it is.
 */
export function usePublicFileUrl(address: string | null): string | null {
  const needed = address?.startsWith(stored) ?? false
  const { data, isError } = useQuery({ ...configQuery, enabled: needed })
  if (!address || !needed) return address
  if (data) return publicFileUrl(address, data.supabaseUrl, window.location.origin)
  return isError ? address : null
}
