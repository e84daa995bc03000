import { AiKey, AiKeyReveal, AutoPreview } from '@contract/auto-posting.ts'
import { ErrorBody } from '@contract/common.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AutoPostingFixture, apiKey, startAutoPostingFixture } from '../support/auto-posting-fixture.ts'
import { runJob } from '../support/run-job.ts'

/** Tests how admins manage the AI provider's API key and how it is used, with the provider's SDK and a fake server. */

let fixture: AutoPostingFixture
beforeAll(async () => {
  fixture = await startAutoPostingFixture()
})
afterAll(() => fixture?.stop())
beforeEach(() => fixture.reset())

const auditActions = async () =>
  (
    await fixture.auto.sql<{ action: string }[]>`
      select action from public.audit_entries where actor_id = ${fixture.boss.id} and action like 'ai_key.%' order by id`
  ).map(({ action }) => action)

describe('the AI API key', () => {
  it('is available to admins only, masked and encrypted, and every change and reveal is logged', async () => {
    const { request, saveApiKey, dumpRecordedText, auto, boss, ana, fan } = fixture
    const calls = [
      ['GET', '/admin/openai-key'],
      ['POST', '/admin/openai-key'],
      ['DELETE', '/admin/openai-key'],
      ['POST', '/admin/openai-key/reveal'],
      ['POST', '/admin/trigger-auto-posting'],
      ['GET', '/admin/auto-posting/runs'],
      ['POST', `/admin/users/${ana.id}/auto-posting-preview`],
      ['POST', `/admin/users/${ana.id}/toggle-auto-posting`],
      ['GET', '/admin/jobs'],
    ] as const
    for (const [method, path] of calls) {
      await request(null, method, path, ErrorBody, 401, method === 'POST' ? { apiKey } : undefined)
      for (const user of [ana, fan])
        await request(user, method, path, ErrorBody, 403, method === 'POST' ? { apiKey: 7 } : undefined)
    }
    const noKey = { hasKey: false, apiKey: null, setAt: null, refusedAt: null }
    expect(await request(boss, 'GET', '/admin/openai-key', AiKey)).toEqual(noKey)
    await request(boss, 'POST', '/admin/openai-key/reveal', ErrorBody, 404)
    for (const path of ['/admin/trigger-auto-posting', `/admin/users/${ana.id}/auto-posting-preview`])
      expect((await request(boss, 'POST', path, ErrorBody, 409)).code).toBe('ai_key_missing')
    const invalidBodies: [unknown, string][] = [
      [{}, 'API Key is required'],
      [{ apiKey: '  ' }, 'API Key is required'],
      [{ apiKey: 'pk-0123456789abc' }, "API Key must start with 'sk-'"],
      [{ apiKey: 'sk-short' }, 'This API Key is too short.'],
      [{ apiKey: 'sk-with spaces in it' }, 'This API Key contains characters that cannot be used.'],
    ]
    for (const [body, message] of invalidBodies)
      expect((await request(boss, 'POST', '/admin/openai-key', ErrorBody, 400, body)).message).toBe(message)

    const mask = `sk-${'*'.repeat(20)}Ui45`
    expect(await saveApiKey()).toMatchObject({ hasKey: true, apiKey: mask, refusedAt: null })
    expect(await request(boss, 'GET', '/admin/openai-key', AiKey)).toMatchObject({
      hasKey: true,
      apiKey: mask,
    })
    expect(await request(boss, 'POST', '/admin/openai-key/reveal', AiKeyReveal)).toEqual({ apiKey })
    expect(await dumpRecordedText()).not.toContain(apiKey)
    const shortKey = await request(boss, 'POST', '/admin/openai-key', AiKey, 200, {
      apiKey: ' sk-123456789 ',
    })
    expect(shortKey.apiKey).toBe('sk-*****6789')
    // Simulates a change of ENCRYPTION_KEY: the stored key cannot be decrypted.
    await auto.sql`update private.ai_key set secret = 'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'`
    for (const path of ['/admin/openai-key/reveal', '/admin/trigger-auto-posting'])
      expect((await request(boss, 'POST', path, ErrorBody, 409)).message).toContain('another ENCRYPTION_KEY')
    await request(boss, 'DELETE', '/admin/openai-key', z.null(), 204)
    await request(boss, 'DELETE', '/admin/openai-key', z.null(), 204)
    expect(await request(boss, 'GET', '/admin/openai-key', AiKey)).toEqual(noKey)
    expect(await auditActions()).toEqual([
      'ai_key.set',
      'ai_key.reveal',
      'ai_key.set',
      'ai_key.reveal',
      'ai_key.remove',
    ])
    await saveApiKey()
  })

  it('stops an auto-posting round if rejected by the provider and works again after a successful preview', async () => {
    const { request, runRound, getPosts, dumpRecordedText, auto, ai, jobs, boss } = fixture
    const ids = await auto.createCreators(7)
    ai.setBehavior({ write: () => ({ status: 401, body: `{"error":{"message":"Wrong key: ${apiKey}"}}` }) })
    const runs = await runRound()
    expect(runs.map(({ userId }) => userId).sort()).toEqual([...ids].sort())
    expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['failed', 'skipped']))
    expect(runs.every(({ detail }) => detail === 'The provider rejected the API key.')).toBe(true)
    expect((await request(boss, 'GET', '/admin/openai-key', AiKey)).refusedAt).not.toBeNull()
    expect(await getPosts(...ids)).toHaveLength(0)
    const path = `/admin/users/${ids[0]}/auto-posting-preview`
    expect((await request(boss, 'POST', path, ErrorBody, 409)).code).toBe('ai_key_refused')
    // The scheduled job does not call the provider with a rejected key, but a preview does.
    const before = ai.calls.length
    await auto.sql`
      insert into private.auto_post_slots (user_id, day, nth, due_at) values (${ids[0] ?? ''}, current_date, 4, now())`
    await auto.unblockJob()
    expect((await runJob('auto-posts', `${jobs.url}/jobs`)).body).toMatchObject({ published: 0, failed: 0 })
    await auto.blockJob()
    expect(ai.calls.length).toBe(before)
    ai.setBehavior({})
    await request(boss, 'POST', path, AutoPreview)
    expect((await request(boss, 'GET', '/admin/openai-key', AiKey)).refusedAt).toBeNull()
    expect(await dumpRecordedText()).not.toContain(apiKey)
  })
})
