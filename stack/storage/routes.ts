import type { ServiceKeys } from '../shared/service-keys.ts'
import type { Caller } from './caller.ts'
import type { StorageDatabase } from './database.ts'
import type { FileStorage } from './file-storage.ts'
import type { SignedUploadLimit, UploadQuota } from './upload-limits.ts'
import type { Uploads } from './uploads.ts'

/** The path prefix of all Storage routes. */
export const prefix = '/storage/v1'

/** The services that the routes use. */
export interface StorageContext {
  keys: ServiceKeys
  database: StorageDatabase
  files: FileStorage
  uploads: Uploads
  quota: UploadQuota
  signedUploads: SignedUploadLimit
}

/** A request to a route. */
export interface StorageRequest {
  request: Request
  caller: Caller
  /** The name that `storage.operation()` returns in policies. */
  operation: string
  /** The decoded parts of the path: the bucket and the object's name. */
  bucket: string
  name: string
}

export type Handler = (request: StorageRequest) => Promise<Response>

export interface Route {
  method: string
  path: RegExp
  operation: string
  handle: Handler
  /** Whether an invalid token is treated like a missing one. */
  allowsInvalidToken: boolean
}

/**
 * Returns the routes for a path, one for each method.
 *
 * @param methods separated by spaces
 * @param path with `:bucket` for a bucket and `*` for the name of an object
 */
export const route = (
  methods: string,
  path: string,
  operation: string,
  handle: Handler,
  allowsInvalidToken = false,
): Route[] =>
  methods.split(' ').map((method) => {
    const pattern = path.replace(':bucket', '(?<bucket>[^/]+)').replace('*', '(?<name>.+)')
    return { method, path: new RegExp(`^${prefix}${pattern}$`), operation, handle, allowsInvalidToken }
  })
