import { badRequest, failed, forbidden, notFound } from '../shared/answers.ts'
import { namesLoopback, sameSecret } from '../shared/loopback.ts'

/**
 * The part of Auth that anyone may use with the publishable key: keeping a session alive, reading its user,
 * ending it. Everything else (sign-up, sign-in, recovery) is for the API, which has checked captcha and
 * limits first and calls with the secret key.
 */
export function isOpenAuth(method: string, url: URL): boolean {
  if (url.pathname === '/auth/v1/user') return method === 'GET'
  if (url.pathname === '/auth/v1/logout') return method === 'POST'
  if (url.pathname !== '/auth/v1/token' || method !== 'POST') return false
  // Exactly one: with two of them, the next reader might take the other one.
  const types = url.searchParams.getAll('grant_type')
  return types.length === 1 && types[0] === 'refresh_token'
}

/**
 * What lite does not answer although it could. The gateway shuts the same door; here it is shut for every
 * program and every page of this machine that finds the port.
 *
 * @returns the refusal, or null where the request may pass
 */
export function guard(request: Request, secretKey: string): Response | null {
  if (!namesLoopback(request)) return forbidden()
  const url = new URL(request.url)
  if (!isReadable(`${url.pathname}${url.search}`)) return badRequest()
  if (url.pathname.startsWith('/rest/v1')) {
    return asksTooMuch(url) ? badRequest('This asks for too much at once.') : null
  }
  if (url.pathname.startsWith('/storage/v1')) return null
  if (url.pathname.startsWith('/auth/v1')) {
    const key = request.headers.get('apikey') ?? ''
    if (isOpenAuth(request.method, url) || sameSecret(key, secretKey)) return null
    return forbidden()
  }
  // lite's own addresses tell how it is configured.
  return notFound()
}

/** Tables that one request may ask for beside its own, and how deep in each other. */
const most = { tables: 6, depth: 2 }

/**
 * Whether `select` names more tables, or deeper in each other, than anybody needs. Each level multiplies the rows: posts
 * with their comments with their authors with their posts are the whole database in a few steps, made ready for whoever
 * has the public key. Where tables are named, names in quotes and paths into JSON are refused: what is a bracket in
 * them only the parser of the next part knows.
 */
function asksTooMuch(url: URL): boolean {
  let tables = 0
  let deepest = 0
  for (const select of url.searchParams.getAll('select')) {
    if (!select.includes('(')) continue
    if (!/^[\w\s,:!.*()]*$/.test(select)) return true
    let depth = 0
    for (const sign of select) {
      if (sign === '(') {
        tables++
        deepest = Math.max(deepest, ++depth)
      } else if (sign === ')') depth--
      if (depth < 0) return true
    }
  }
  return tables > most.tables || deepest > most.depth
}

/** Whether everything escaped in an address is text that the database could hold. */
function isReadable(address: string): boolean {
  try {
    return !decodeURIComponent(address).includes('\0')
  } catch {
    return false
  }
}

/**
 * A count that the planner estimates is made of statistics over all rows, also those that row-level security hides:
 * asked with filters often enough, it tells what is in them. Whoever asks for one gets the exact count of what they
 * may see.
 */
export function withoutEstimates(request: Request): Request {
  const prefer = request.headers.get('prefer')
  if (!prefer || !/count\s*=\s*(planned|estimated)/i.test(prefer)) return request
  const headers = new Headers(request.headers)
  headers.set('prefer', prefer.replace(/count\s*=\s*(planned|estimated)/gi, 'count=exact'))
  return new Request(request, { headers })
}

/**
 * lite answers 500, with the database's own words, to a value that breaks a rule of its table. Its callers hear 400
 * as from PostgREST; of any other failure they hear nothing but that there was one.
 */
export async function inPlainWords(answer: Response): Promise<Response> {
  if (answer.status < 500) return answer
  const words = await answer.text()
  return /violates (check|not-null|foreign key) constraint|invalid input syntax|invalid byte sequence/.test(
    words,
  )
    ? badRequest('This value is not allowed.')
    : failed()
}
