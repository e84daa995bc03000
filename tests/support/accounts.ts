import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'

/**
 * Makes an account as a registration leaves it, and answers its id. Its password is hashed with the least work there
 * is: to sign up and in as visitors do takes the machine a third of a second, and is tried by tests of its own.
 *
 * @param sql the database, as its superuser
 */
export async function makeAccount(
  sql: postgres.Sql,
  who: { fullName: string; username: string; email: string; phoneNumber: string; password: string },
): Promise<string> {
  const id = randomUUID()
  const meta = {
    username: who.username,
    full_name: who.fullName,
    phone_number: who.phoneNumber,
    adult_confirmed: true,
    email: who.email,
    email_verified: true,
    sub: id,
  }
  await sql.begin(async (tx) => {
    await tx`
      insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
        raw_user_meta_data, created_at, updated_at)
      values (${id}, 'authenticated', 'authenticated', ${who.email},
        extensions.crypt(${who.password}, extensions.gen_salt('bf', 4)), now(),
        '{"provider": "email", "providers": ["email"]}', ${tx.json(meta)}, now(), now())`
    await tx`
      insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at,
        updated_at)
      values (gen_random_uuid(), 'email', ${id}, ${id}, ${tx.json({ ...meta, phone_verified: false })}, now(), now(),
        now())`
  })
  return id
}
