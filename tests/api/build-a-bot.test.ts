import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AccessTokenScope, CreatedAccessToken } from '@contract/access-token.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { root } from '../../scripts/lib/paths.mjs'
import { apiAs } from '../support/api.ts'
import { documentAt } from '../support/documents.ts'
import { sql, stack } from '../support/stack.ts'
import { createUser, type TestUser } from '../support/users.ts'

const examples = documentAt('docs/guides/build-a-bot.md').blocks.filter(({ info }) => info === 'js')

async function createToken(user: TestUser, scopes: AccessTokenScope[]): Promise<string> {
  const body = { name: 'Bot', scopes, expiresInDays: 30, currentPassword: user.password }
  return (await apiAs(user).post('/api/auth/access-tokens', CreatedAccessToken, body, 201)).body.token
}

/** Runs an example in a separate process and returns its output. */
async function run(text: string | undefined, token: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-bot-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'bot.mjs'), text ?? '')
    const env = { PATH: process.env.PATH, SITE: stack.apiUrl, TOKEN: token }
    // supabase-js needs a WebSocket class, which Node 20 has only with this flag.
    const args = ['--experimental-websocket', 'bot.mjs']
    return (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('the examples in "Build a bot" answer unread messages, query the Data API and report a missing scope', async () => {
  expect(examples).toHaveLength(2)
  const [bot, fan] = await Promise.all([createUser(), createUser()])
  const token = await createToken(bot, ['read', 'write', 'messages'])
  await apiAs(fan).post('/api/messages', z.unknown(), { receiverId: bot.id, content: 'Hello' }, 201)
  expect(await run(examples[0]?.text, token)).toBe('Conversations answered: 1\n')
  expect(await run(examples[0]?.text, token)).toBe('Conversations answered: 0\n')
  expect(
    await sql`select content from public.messages where ${bot.id} in (sender_id, receiver_id) order by created_at`,
  ).toEqual([{ content: 'Hello' }, { content: 'Hi Test Person, thanks for your message!' }])
  expect(await run(examples[1]?.text, token)).toBe('0 likes: Conversations answered: 1\n')
  await expect(run(examples[0]?.text, await createToken(bot, []))).rejects.toThrow(
    /GET \/messages\/conversations: 403 insufficient_scope: This access token lacks the scope “messages”\./,
  )
})
