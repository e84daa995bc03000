import './lib/node-version.mjs'
import { confirm } from './lib/confirm.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { connectToRunningStack } from './lib/running-stack.mjs'

// `npm run make-admin -- <email>`: makes the user with this email an admin. The stack must be running. Shows the
// account and asks for confirmation, because the account may belong to somebody who registered with another person's
// address and never confirmed it. `--yes` skips the question.

const command = 'npm run make-admin -- <email>'
const [email, ...others] = process.argv.slice(2).filter((arg) => arg !== '--yes')
if (!email?.includes('@') || others.length > 0) fail(`Usage: ${command}`)

const sql = await connectToRunningStack()
try {
  const [user] = await sql`
    select p.username, p.full_name, p.is_admin, a.email, a.email_confirmed_at is not null as confirmed,
      to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as registered
    from public.accounts a join public.profiles p on p.id = a.user_id
    where lower(a.email) = lower(${email})`
  if (!user) fail(`No account has the email ${email}. Create the account first.`)
  const name = `@${user.username} (${user.full_name}, ${user.email})`
  if (user.is_admin) console.log(`${name} is already an admin.`)
  else {
    const unconfirmed = user.confirmed
      ? ''
      : ' The email address is not confirmed, so it may belong to somebody else.'
    console.log(`${name} registered on ${user.registered} UTC.${unconfirmed}`)
    await confirm('Admins can read reported messages, remove accounts and settle payouts.', {
      command: `${command} --yes`,
      refused: 'Nobody was made an admin.',
    })
    await sql`select private.grant_admin(${user.email})`
    console.log(`${name} is now an admin.`)
  }
} catch (error) {
  fail(`Could not make the user an admin: ${errorMessage(error)}`)
} finally {
  await sql.end({ timeout: 2 })
}
