import { AdminUser } from '@contract/admin.ts'
import { AutoDraft, AutoPostingState, AutoPreview } from '@contract/auto-posting.ts'
import { ErrorBody } from '@contract/errors.ts'
import { Post } from '@contract/post.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AutoPostingFixture, startAutoPostingFixture } from '../support/auto-posting-fixture.ts'
import { runJob } from '../support/run-job.ts'

/** Auto-posting as its creators meet it, through the API and the job. */

let scene: AutoPostingFixture
beforeAll(async () => {
  scene = await startAutoPostingFixture()
  await scene.saveApiKey()
}, 180_000)
afterAll(() => scene?.stop())
beforeEach(() => scene.reset())

describe('a creator', () => {
  it('is asked to agree, and is posted for once they have: with what they wrote as material, labelled', async () => {
    const { request, runRound, getRuns, getPosts, auto, ai, boss, ana, fan } = scene
    const path = `/admin/users/${ana.id}/toggle-auto-posting`
    await request(boss, 'POST', path, ErrorBody, 400, {})
    await request(boss, 'POST', `/admin/users/${fan.id}/toggle-auto-posting`, ErrorBody, 403, {
      enabled: true,
    })
    const admin = await request(boss, 'POST', `/admin/users/${boss.id}/toggle-auto-posting`, ErrorBody, 403, {
      enabled: true,
    })
    expect(admin.code).toBe('target_is_admin')
    const asked = await request(boss, 'POST', path, AdminUser, 200, { enabled: true, frequency: 'high' })
    expect(asked).toMatchObject({
      autoPostingEnabled: true,
      autoPostingFrequency: 'high',
      awaitingConsent: true,
    })
    const [note] =
      await auto.sql`select detail from public.notifications where user_id = ${ana.id} and kind = 'auto_post'`
    expect(note?.detail).toContain('only if you agree')
    expect(await runRound()).toEqual([])

    await auto.sql`update public.profile_details set bio = 'Potter in the hills' where user_id = ${ana.id}`
    await request(ana, 'POST', '/posts', Post, 201, { content: 'The kiln was cold this morning.' })
    await request(ana, 'POST', '/posts', Post, 201, {
      content: 'Paid words',
      isPremium: true,
      premiumPrice: 5,
    })
    // A preview for somebody who has not agreed tells the provider nothing of them.
    const preview = `/admin/users/${ana.id}/auto-posting-preview`
    expect(await request(boss, 'POST', preview, AutoPreview)).toMatchObject({ basedOn: 'nothing' })
    const sent = () => JSON.stringify(ai.calls.filter(({ body }) => body.messages).at(-1))
    expect(sent()).not.toMatch(/hills|kiln|Test Person/)
    await auto.sql`update public.profile_about set allow_auto_posting = true where user_id = ${ana.id}`
    const draft = await request(boss, 'POST', preview, AutoPreview)
    expect(draft).toMatchObject({ basedOn: 'person', model: 'gpt-4o-mini' })
    expect([draft.cost > 0, draft.cost < 0.01]).toEqual([true, true])
    expect(sent()).toMatch(/Potter in the hills.*The kiln was cold/)
    expect(sent()).not.toContain('Paid words')
    expect(await getPosts(ana.id)).toHaveLength(2)
    await request(boss, 'POST', `/admin/users/${fan.id}/auto-posting-preview`, ErrorBody, 403)

    const [run] = await runRound()
    expect(run).toMatchObject({ userId: ana.id, outcome: 'published' })
    const post = await request(fan, 'GET', `/posts/${run?.postId}`, Post)
    expect(post).toMatchObject({ userId: ana.id, madeByAi: true, isPremium: false })
    const [kept] = await getRuns(ana.id)
    expect(kept).toMatchObject({
      kind: 'test',
      outcome: 'published',
      postId: post.id,
      answer: post.content,
      calls: 2,
    })
    expect(kept?.prompt?.[1]?.content).toContain('Potter in the hills')
    expect(await request(ana, 'GET', '/auto-posts', AutoPostingState)).toMatchObject({
      enabled: true,
      frequency: 'high',
      agreed: true,
    })
    expect((await request(ana, 'GET', '/auto-posts', AutoPostingState)).lastAutoPost).not.toBeNull()
    // A second round at once gives nothing on top.
    expect(await runRound()).toMatchObject([{ userId: ana.id, outcome: 'skipped' }])
    expect(await request(boss, 'POST', path, AdminUser, 200, { enabled: false })).toMatchObject({
      autoPostingEnabled: false,
      autoPostingFrequency: 'high',
    })
    expect(await runRound()).toEqual([])
  })

  it('who wants to see each draft first publishes it, changes it, discards it, or lets it expire', async () => {
    const { request, runRound, getPosts, auto, jobs, ana, fan } = scene
    await auto.sql`update private.auto_posting set enabled = true where user_id = ${ana.id}`
    await auto.sql`update public.profile_about set approve_auto_posts = true where user_id = ${ana.id}`
    const write = async () => {
      await auto.sql`update public.auto_runs set ended_at = now() - interval '5 minutes' where user_id = ${ana.id}`
      const [run] = await runRound()
      expect(run).toMatchObject({ outcome: 'drafted' })
      return run?.draftId ?? ''
    }
    const [kept, changed, thrown, old] = [await write(), await write(), await write(), await write()]
    const drafts = () => request(ana, 'GET', '/auto-posts/drafts', z.array(AutoDraft))
    expect((await drafts()).map(({ id, state }) => [id, state])).toEqual(
      [old, thrown, changed, kept].map((id) => [id, 'waiting']),
    )
    expect(await request(fan, 'GET', '/auto-posts/drafts', z.array(AutoDraft))).toEqual([])
    const at = (id: string) => `/auto-posts/drafts/${id}`
    await request(fan, 'POST', `${at(kept)}/publish`, ErrorBody, 404)
    await request(fan, 'DELETE', at(kept), ErrorBody, 404)
    await request(fan, 'GET', `/posts/${kept}`, ErrorBody, 404)

    // Who came to know its id cannot put a post of their own in its place.
    const taken = await write()
    await request(fan, 'POST', '/posts', Post, 201, { id: taken, content: 'Mine now' })
    await request(ana, 'POST', `${at(taken)}/publish`, ErrorBody, 409)
    expect((await drafts()).find(({ id }) => id === taken)?.state).toBe('waiting')
    await request(ana, 'DELETE', at(taken), z.null(), 204)

    const posts = (await getPosts(ana.id)).length
    const post = await request(ana, 'POST', `${at(kept)}/publish`, Post)
    expect(post).toMatchObject({ id: kept, madeByAi: true, mine: true })
    expect(await request(ana, 'POST', `${at(kept)}/publish`, Post)).toEqual(post)
    await request(ana, 'POST', `${at(changed)}/publish`, ErrorBody, 400, { content: ' ' })
    const mine = 'In my own words, after all.'
    expect(await request(ana, 'POST', `${at(changed)}/publish`, Post, 200, { content: mine })).toMatchObject({
      content: mine,
    })
    await request(ana, 'DELETE', at(thrown), z.null(), 204)
    await request(ana, 'DELETE', at(thrown), z.null(), 204)
    await request(ana, 'POST', `${at(thrown)}/publish`, ErrorBody, 409)
    await auto.sql`update public.auto_drafts set created_at = now() - interval '4 days' where id = ${old}`
    await auto.disableAll()
    await auto.unblockJob()
    // It, or a turn of the schedule's just before it.
    expect((await runJob('auto-posts', `${jobs.url}/jobs`)).body).toMatchObject({
      tidied: { drafts: expect.any(Number) },
    })
    await auto.blockJob()
    await request(ana, 'POST', `${at(old)}/publish`, ErrorBody, 409)
    const states = Object.fromEntries((await drafts()).map(({ id, state }) => [id, state]))
    expect(states).toEqual({
      [taken]: 'discarded',
      [kept]: 'published',
      [changed]: 'published',
      [thrown]: 'discarded',
      [old]: 'expired',
    })
    expect((await getPosts(ana.id)).length).toBe(posts + 2)
  })

  it('who takes it back, or is suspended, while a post is being written is not posted for', async () => {
    const { runRound, getPosts, auto, ai } = scene
    const ids = await auto.createCreators(2)
    const before = ai.calls.length
    const goOn = ai.holdCompletions()
    const running = runRound()
    await expect.poll(() => ai.calls.length).toBe(before + 2)
    await auto.sql`update public.profile_about set allow_auto_posting = false where user_id = ${ids[0] ?? ''}`
    await auto.sql`update public.accounts set suspended_at = now(), suspension_reason = 'Rude' where user_id = ${ids[1] ?? ''}`
    goOn()
    expect((await running).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['refused', 'It was no longer wanted.'],
      ['refused', 'It was no longer wanted.'],
    ])
    expect(await getPosts(...ids)).toHaveLength(0)
  })
})
