// This module does not import `env.ts`, because the services of the embedded stack use it too.

/** Returns the token after `Bearer `, or null. */
export function bearerToken(authorization: string | null): string | null {
  const match = authorization && /^Bearer +(\S+)$/i.exec(authorization)
  return match?.[1] ?? null
}
