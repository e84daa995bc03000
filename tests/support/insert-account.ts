import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'

/**
 * Inserts an account as registration would and returns its ID. The email address is confirmed, and onboarding is
 * finished. Registering and signing in through the API would take a third of a second of CPU time, so this function
 * inserts the rows directly, with the lowest bcrypt cost. Other tests cover registration and sign-in.
 *
 * @param sql the database connection of the superuser
 */
export async function insertAccount(
  sql: postgres.Sql,
  form: { fullName: string; username: string; email: string; phoneNumber: string; password: string },
): Promise<string> {
  const id = randomUUID()
  const metadata = {
    username: form.username,
    full_name: form.fullName,
    phone_number: form.phoneNumber,
    adult_confirmed: true,
    email: form.email,
    email_verified: true,
    sub: id,
  }
  await sql.begin(async (tx) => {
    await tx`
      insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
        raw_user_meta_data, created_at, updated_at)
      values (${id}, 'authenticated', 'authenticated', ${form.email},
        extensions.crypt(${form.password}, extensions.gen_salt('bf', 4)), now(),
        '{"provider": "email", "providers": ["email"]}', ${tx.json(metadata)}, now(), now())`
    await tx`
      insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at,
        updated_at)
      values (gen_random_uuid(), 'email', ${id}, ${id}, ${tx.json({ ...metadata, phone_verified: false })}, now(), now(),
        now())`
    await tx`update public.accounts set email_confirmed_at = now(), onboarded_at = now() where user_id = ${id}`
  })
  return id
}
