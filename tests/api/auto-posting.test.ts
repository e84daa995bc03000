import { AdminUser } from '@contract/admin.ts'
import { AutoDraft, AutoPostingState, AutoPreview } from '@contract/auto-posting.ts'
import { ErrorBody } from '@contract/errors.ts'
import { Post } from '@contract/post.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AutoScene, startAutoScene } from '../support/auto-posting.ts'
import { runJob } from '../support/job.ts'

/** Auto-posting as its creators meet it, through the API and the job. */

let scene: AutoScene
beforeAll(async () => {
  scene = await startAutoScene()
  await scene.setKey()
}, 180_000)
afterAll(() => scene?.stop())
beforeEach(() => scene.calm())

describe('a creator', () => {
  it('is asked to agree, and is posted for once they have: with what they wrote as material, labelled', async () => {
    const { ask, round, runsOf, postsOf, auto, ai, boss, ana, fan } = scene
    const path = `/admin/users/${ana.id}/toggle-auto-posting`
    await ask(boss, 'POST', path, ErrorBody, 400, {})
    await ask(boss, 'POST', `/admin/users/${fan.id}/toggle-auto-posting`, ErrorBody, 403, { enabled: true })
    const admin = await ask(boss, 'POST', `/admin/users/${boss.id}/toggle-auto-posting`, ErrorBody, 403, {
      enabled: true,
    })
    expect(admin.code).toBe('target_is_admin')
    const asked = await ask(boss, 'POST', path, AdminUser, 200, { enabled: true, frequency: 'high' })
    expect(asked).toMatchObject({
      autoPostingEnabled: true,
      autoPostingFrequency: 'high',
      awaitingConsent: true,
    })
    const [note] =
      await auto.sql`select detail from public.notifications where user_id = ${ana.id} and kind = 'auto_post'`
    expect(note?.detail).toContain('only if you agree')
    expect(await round()).toEqual([])

    await auto.sql`update public.profile_details set bio = 'Potter in the hills' where user_id = ${ana.id}`
    await ask(ana, 'POST', '/posts', Post, 201, { content: 'The kiln was cold this morning.' })
    await ask(ana, 'POST', '/posts', Post, 201, { content: 'Paid words', isPremium: true, premiumPrice: 5 })
    // A preview for somebody who has not agreed tells the provider nothing of them.
    const preview = `/admin/users/${ana.id}/auto-posting-preview`
    expect(await ask(boss, 'POST', preview, AutoPreview)).toMatchObject({ basedOn: 'nothing' })
    const sent = () => JSON.stringify(ai.calls.filter(({ body }) => body.messages).at(-1))
    expect(sent()).not.toMatch(/hills|kiln|Test Person/)
    await auto.sql`update public.profile_about set allow_auto_posting = true where user_id = ${ana.id}`
    const draft = await ask(boss, 'POST', preview, AutoPreview)
    expect(draft).toMatchObject({ basedOn: 'person', model: 'gpt-4o-mini' })
    expect([draft.cost > 0, draft.cost < 0.01]).toEqual([true, true])
    expect(sent()).toMatch(/Potter in the hills.*The kiln was cold/)
    expect(sent()).not.toContain('Paid words')
    expect(await postsOf(ana.id)).toHaveLength(2)
    await ask(boss, 'POST', `/admin/users/${fan.id}/auto-posting-preview`, ErrorBody, 403)

    const [run] = await round()
    expect(run).toMatchObject({ userId: ana.id, outcome: 'published' })
    const post = await ask(fan, 'GET', `/posts/${run?.postId}`, Post)
    expect(post).toMatchObject({ userId: ana.id, madeByAi: true, isPremium: false })
    const [kept] = await runsOf(ana.id)
    expect(kept).toMatchObject({
      kind: 'test',
      outcome: 'published',
      postId: post.id,
      answer: post.content,
      calls: 2,
    })
    expect(kept?.prompt?.[1]?.content).toContain('Potter in the hills')
    expect(await ask(ana, 'GET', '/auto-posts', AutoPostingState)).toMatchObject({
      enabled: true,
      frequency: 'high',
      agreed: true,
    })
    expect((await ask(ana, 'GET', '/auto-posts', AutoPostingState)).lastAutoPost).not.toBeNull()
    // A second round at once gives nothing on top.
    expect(await round()).toMatchObject([{ userId: ana.id, outcome: 'skipped' }])
    expect(await ask(boss, 'POST', path, AdminUser, 200, { enabled: false })).toMatchObject({
      autoPostingEnabled: false,
      autoPostingFrequency: 'high',
    })
    expect(await round()).toEqual([])
  })

  it('who wants to see each draft first publishes it, changes it, discards it, or lets it expire', async () => {
    const { ask, round, postsOf, auto, jobs, ana, fan } = scene
    await auto.sql`update private.auto_posting set enabled = true where user_id = ${ana.id}`
    await auto.sql`update public.profile_about set approve_auto_posts = true where user_id = ${ana.id}`
    const write = async () => {
      await auto.sql`update public.auto_runs set ended_at = now() - interval '5 minutes' where user_id = ${ana.id}`
      const [run] = await round()
      expect(run).toMatchObject({ outcome: 'drafted' })
      return run?.draftId ?? ''
    }
    const [kept, changed, thrown, old] = [await write(), await write(), await write(), await write()]
    const drafts = () => ask(ana, 'GET', '/auto-posts/drafts', z.array(AutoDraft))
    expect((await drafts()).map(({ id, state }) => [id, state])).toEqual(
      [old, thrown, changed, kept].map((id) => [id, 'waiting']),
    )
    expect(await ask(fan, 'GET', '/auto-posts/drafts', z.array(AutoDraft))).toEqual([])
    const at = (id: string) => `/auto-posts/drafts/${id}`
    await ask(fan, 'POST', `${at(kept)}/publish`, ErrorBody, 404)
    await ask(fan, 'DELETE', at(kept), ErrorBody, 404)
    await ask(fan, 'GET', `/posts/${kept}`, ErrorBody, 404)

    // Who came to know its id cannot put a post of their own in its place.
    const taken = await write()
    await ask(fan, 'POST', '/posts', Post, 201, { id: taken, content: 'Mine now' })
    await ask(ana, 'POST', `${at(taken)}/publish`, ErrorBody, 409)
    expect((await drafts()).find(({ id }) => id === taken)?.state).toBe('waiting')
    await ask(ana, 'DELETE', at(taken), z.null(), 204)

    const posts = (await postsOf(ana.id)).length
    const post = await ask(ana, 'POST', `${at(kept)}/publish`, Post)
    expect(post).toMatchObject({ id: kept, madeByAi: true, mine: true })
    expect(await ask(ana, 'POST', `${at(kept)}/publish`, Post)).toEqual(post)
    await ask(ana, 'POST', `${at(changed)}/publish`, ErrorBody, 400, { content: ' ' })
    const mine = 'In my own words, after all.'
    expect(await ask(ana, 'POST', `${at(changed)}/publish`, Post, 200, { content: mine })).toMatchObject({
      content: mine,
    })
    await ask(ana, 'DELETE', at(thrown), z.null(), 204)
    await ask(ana, 'DELETE', at(thrown), z.null(), 204)
    await ask(ana, 'POST', `${at(thrown)}/publish`, ErrorBody, 409)
    await auto.sql`update public.auto_drafts set created_at = now() - interval '4 days' where id = ${old}`
    await auto.nobody()
    await auto.letJobRun()
    // It, or a turn of the schedule's just before it.
    expect((await runJob('auto-posts', `${jobs.url}/jobs`)).body).toMatchObject({
      tidied: { drafts: expect.any(Number) },
    })
    await auto.holdJob()
    await ask(ana, 'POST', `${at(old)}/publish`, ErrorBody, 409)
    const states = Object.fromEntries((await drafts()).map(({ id, state }) => [id, state]))
    expect(states).toEqual({
      [taken]: 'discarded',
      [kept]: 'published',
      [changed]: 'published',
      [thrown]: 'discarded',
      [old]: 'expired',
    })
    expect((await postsOf(ana.id)).length).toBe(posts + 2)
  })

  it('who takes it back, or is suspended, while a post is being written is not posted for', async () => {
    const { round, postsOf, auto, ai } = scene
    const ids = await auto.creators(2)
    const before = ai.calls.length
    const goOn = ai.hold()
    const running = round()
    await expect.poll(() => ai.calls.length).toBe(before + 2)
    await auto.sql`update public.profile_about set allow_auto_posting = false where user_id = ${ids[0] ?? ''}`
    await auto.sql`update public.accounts set suspended_at = now(), suspension_reason = 'Rude' where user_id = ${ids[1] ?? ''}`
    goOn()
    expect((await running).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['refused', 'It was no longer wanted.'],
      ['refused', 'It was no longer wanted.'],
    ])
    expect(await postsOf(...ids)).toHaveLength(0)
  })
})
