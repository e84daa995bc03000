import type { Hono } from 'hono'
import { html } from 'hono/html'
import type postgres from 'postgres'
import { notFound } from '../../shared/error-responses.ts'
import { isUuid } from '../../shared/uuid.ts'
import type { StudioContext } from '../context.ts'
import {
  actionForm,
  badge,
  formatNumber,
  formatTime,
  type Html,
  link,
  nothing,
  notice,
  pager,
  readOffset,
  renderFacts,
  renderPage,
  renderTable,
  text,
} from '../layout.ts'

const pageSize = 50

type Condition = postgres.PendingQuery<postgres.Row[]>

interface User {
  id: string
  email: string | null
  username: string | null
  isAdmin: boolean | null
  createdAt: Date
  lastSignInAt: Date | null
  emailConfirmedAt: Date | null
  suspendedAt: Date | null
  suspendedUntil: Date | null
  readOnlyReason: string | null
  sessions: number
}

interface Session {
  id: string
  userAgent: string | null
  address: string | null
  createdAt: Date
  lastSeenAt: Date
  endsAt: Date | null
}

/** Adds the pages that show users and their sessions. These pages never read password hashes or tokens. */
export function addUserPages(app: Hono, context: StudioContext): void {
  const { log } = context
  app.get('/users', async (c) => {
    const search = (c.req.query('search') ?? '').replaceAll('\0', '').trim()
    const offset = readOffset(c.req.query('offset'))
    const users = await readUsers(context, matches(context, search), offset)
    const content = html`
<form method="get" action="${link(context, '/users')}" class="filters" role="search">
<label>Email, username or ID <input name="search" value="${search}" maxlength="200"></label><button>Search</button></form>
${renderTable(
  ['User', 'Username', 'State', { title: 'Sessions', isNumber: true }, 'Last sign-in', 'Registered'],
  users
    .slice(0, pageSize)
    .map((user) => [
      html`<a href="${link(context, `/users/${user.id}`)}">${text(user.email ?? user.id)}</a>`,
      user.username === null ? nothing() : text(user.username),
      userState(user),
      html`${formatNumber(user.sessions)}`,
      formatTime(user.lastSignInAt),
      formatTime(user.createdAt),
    ]),
  search
    ? 'No users match. Search for part of the email address or username, or for the whole ID.'
    : 'Nobody has registered yet.',
)}
${pager(context, '/users', { search }, offset, pageSize, users.length > pageSize)}`
    return c.html(renderPage(context, 'Users', content, { section: '/users' }))
  })

  app.get('/users/:id', async (c) => {
    const id = c.req.param('id')
    // `matches` could also find other users, because an email address can contain another user's ID.
    const [user] = isUuid(id) ? await readUsers(context, context.sql`u.id = ${id}`, 0) : []
    if (!user) return c.notFound()
    const [sessions, devices] = await Promise.all([readSessions(context, id), readDevices(context, id)])
    const content = html`
${c.req.query('ended') ? notice('The session was ended.') : ''}${c.req.query('ended-all') ? notice('All sessions were ended.') : ''}
<section>${renderFacts([
      ['ID', html`<code>${user.id}</code>`],
      ['Username', user.username === null ? nothing() : text(user.username)],
      ['State', userState(user)],
      ['Read-only because', user.readOnlyReason === null ? nothing() : text(user.readOnlyReason)],
      ['Registered', formatTime(user.createdAt)],
      ['Last sign-in', formatTime(user.lastSignInAt)],
      ['Email confirmed', formatTime(user.emailConfirmedAt)],
    ])}</section>
<section><div class="toolbar"><h2>Sessions</h2>
${sessions.length > 0 ? actionForm(context, `/users/${id}/end-sessions`, 'End all sessions') : ''}</div>
${renderTable(
  ['Device', 'Address', 'Signed in', 'Last used', 'Ends', ''],
  sessions.map(({ id: session, userAgent, address, createdAt, lastSeenAt, endsAt }) => [
    userAgent === null ? nothing() : text(userAgent.slice(0, 200)),
    address === null ? nothing() : text(address),
    formatTime(createdAt),
    formatTime(lastSeenAt),
    formatTime(endsAt),
    actionForm(context, `/users/${id}/end-session`, 'End', { session }),
  ]),
  'No sessions. The user is signed out everywhere.',
)}
<p>Ending all sessions also revokes the user’s access tokens and cancels a pending change of the email address.</p></section>
<section><h2>Devices</h2>
${renderTable(
  ['Device', 'First sign-in'],
  devices.map(({ device, firstSeenAt }) => [text(device), formatTime(firstSeenAt)]),
  'No sign-in has been recorded yet.',
)}</section>`
    return c.html(
      renderPage(context, user.email ?? user.id, content, {
        section: '/users',
        parents: [[link(context, '/users'), 'Users']],
      }),
    )
  })

  app.post('/users/:id/end-session', async (c) => {
    const userId = c.req.param('id')
    const { session } = await c.req.parseBody()
    if (!isUuid(userId) || typeof session !== 'string' || !isUuid(session)) return notFound()
    const wasEnded = await endSession(context, userId, session)
    if (wasEnded) log.info('studio_session_ended', { userId })
    return c.redirect(link(context, `/users/${userId}`, { ended: '1' }), 303)
  })

  app.post('/users/:id/end-sessions', async (c) => {
    const userId = c.req.param('id')
    if (!isUuid(userId)) return notFound()
    await context.sql.begin('read write', (sql) => sql`select private.end_all_sessions(${userId})`)
    log.info('studio_sessions_ended', { userId })
    return c.redirect(link(context, `/users/${userId}`, { 'ended-all': '1' }), 303)
  })
}

/**
 * Ends a session with `private.end_own_session`, as if its user had ended it. Returns false if it has already ended.
 */
async function endSession({ sql }: StudioContext, userId: string, sessionId: string): Promise<boolean> {
  return await sql.begin('read write', async (transaction) => {
    const [session] = await transaction`
      select from auth.sessions s where s.id = ${sessionId} and s.user_id = ${userId} and (s.not_after is null or s.not_after > now())
      for update`
    if (!session) return false
    const claims = JSON.stringify({ sub: userId, role: 'authenticated', session_id: sessionId })
    await transaction`select set_config('request.jwt.claims', ${claims}, true)`
    const [row] = await transaction<
      { ended: boolean }[]
    >`select private.end_own_session(${sessionId}) as ended`
    return row?.ended === true
  })
}

function userState({ isAdmin, suspendedAt, suspendedUntil, emailConfirmedAt, readOnlyReason }: User): Html {
  const isSuspended =
    suspendedAt !== null && (suspendedUntil === null || suspendedUntil.getTime() > Date.now())
  return html`<span class="badges">${isAdmin ? badge('admin', 'good') : ''}
${isSuspended ? badge('suspended', 'bad') : readOnlyReason === null ? badge('active', 'quiet') : badge('read-only', 'bad')}
${emailConfirmedAt === null ? badge('email not confirmed', 'quiet') : ''}</span>`
}

const matches = ({ sql }: StudioContext, search: string): Condition => sql`(
  ${search} = '' or strpos(lower(u.email), lower(${search})) > 0 or strpos(lower(p.username), lower(${search})) > 0
  or u.id::text = lower(${search}))`

async function readUsers({ sql }: StudioContext, condition: Condition, offset: number): Promise<User[]> {
  return await sql<User[]>`
    select u.id, u.email, p.username, p.is_admin as "isAdmin", u.created_at as "createdAt",
           u.last_sign_in_at as "lastSignInAt", a.email_confirmed_at as "emailConfirmedAt",
           a.suspended_at as "suspendedAt", a.suspended_until as "suspendedUntil", a.read_only_reason as "readOnlyReason",
           (select count(*)::int4 from auth.sessions s
            where s.user_id = u.id and (s.not_after is null or s.not_after > now())) as sessions
    from auth.users u left join public.profiles p on p.id = u.id left join public.accounts a on a.user_id = u.id
    where ${condition}
    order by u.last_sign_in_at desc nulls last, u.created_at desc, u.id
    limit ${pageSize + 1} offset ${offset}`
}

async function readSessions({ sql }: StudioContext, userId: string): Promise<Session[]> {
  // Auth stores refreshed_at without a time zone, in UTC.
  return await sql<Session[]>`
    select s.id, s.user_agent as "userAgent", host(s.ip) as address, s.created_at as "createdAt",
           coalesce(s.refreshed_at at time zone 'UTC', s.created_at) as "lastSeenAt", s.not_after as "endsAt"
    from auth.sessions s where s.user_id = ${userId} and (s.not_after is null or s.not_after > now())
    order by 5 desc, s.id limit 200`
}

async function readDevices(
  { sql }: StudioContext,
  userId: string,
): Promise<{ device: string; firstSeenAt: Date }[]> {
  return await sql<{ device: string; firstSeenAt: Date }[]>`
    select d.device, d.first_seen_at as "firstSeenAt" from private.known_devices d
    where d.user_id = ${userId} order by d.first_seen_at desc`
}
