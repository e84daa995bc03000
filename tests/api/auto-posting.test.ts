import { AdminUser } from '@contract/admin.ts'
import { AutoDraft, AutoPostingState, AutoPreview } from '@contract/auto-posting.ts'
import { ErrorBody } from '@contract/common.ts'
import { Notification } from '@contract/notification.ts'
import { Post } from '@contract/post.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AutoPostingFixture, startAutoPostingFixture } from '../support/auto-posting-fixture.ts'
import { runJob } from '../support/run-job.ts'

/** Tests creators' consent to auto-posting, their drafts and the published posts, through the API and the job. */

let fixture: AutoPostingFixture
beforeAll(async () => {
  fixture = await startAutoPostingFixture()
  await fixture.saveApiKey()
})
afterAll(() => fixture?.stop())
beforeEach(() => fixture.reset())

describe('auto-posting', () => {
  it("needs the creator's consent, uses their public content and labels the posts", async () => {
    const { request, runRound, getRuns, getPosts, auto, ai, boss, ana, fan } = fixture
    const path = `/admin/users/${ana.id}/toggle-auto-posting`
    await request(boss, 'POST', path, ErrorBody, 400, {})
    await request(boss, 'POST', `/admin/users/${fan.id}/toggle-auto-posting`, ErrorBody, 403, {
      enabled: true,
    })
    const error = await request(boss, 'POST', `/admin/users/${boss.id}/toggle-auto-posting`, ErrorBody, 403, {
      enabled: true,
    })
    expect(error.code).toBe('target_is_admin')
    const updated = await request(boss, 'POST', path, AdminUser, 200, { enabled: true, frequency: 'high' })
    expect(updated).toMatchObject({
      autoPostingEnabled: true,
      autoPostingFrequency: 'high',
      awaitingConsent: true,
    })
    const [notification] = await request(ana, 'GET', '/notifications', z.array(Notification))
    expect(notification?.message).toContain('only if you agree')
    expect(notification?.details).toEqual({ event: 'auto_posting_offered' })
    expect(await runRound()).toEqual([])

    await auto.sql`update public.profile_details set bio = 'Potter in the hills' where user_id = ${ana.id}`
    await request(ana, 'POST', '/posts', Post, 201, { content: 'The kiln was cold this morning.' })
    await request(ana, 'POST', '/posts', Post, 201, {
      content: 'Paid words',
      isPremium: true,
      premiumPrice: 5,
    })
    // The preview for a creator who has not consented sends none of the creator's data to the provider.
    const previewPath = `/admin/users/${ana.id}/auto-posting-preview`
    expect(await request(boss, 'POST', previewPath, AutoPreview)).toMatchObject({ basedOn: 'nothing' })
    const lastPrompt = () => JSON.stringify(ai.calls.filter(({ body }) => body.messages).at(-1))
    expect(lastPrompt()).not.toMatch(/hills|kiln|Test Person/)
    await auto.sql`update public.profile_about set allow_auto_posting = true where user_id = ${ana.id}`
    const preview = await request(boss, 'POST', previewPath, AutoPreview)
    expect(preview).toMatchObject({ basedOn: 'person', model: 'gpt-4o-mini' })
    expect([preview.cost > 0, preview.cost < 0.01]).toEqual([true, true])
    expect(lastPrompt()).toMatch(/Potter in the hills.*The kiln was cold/)
    expect(lastPrompt()).not.toContain('Paid words')
    expect(await getPosts(ana.id)).toHaveLength(2)
    await request(boss, 'POST', `/admin/users/${fan.id}/auto-posting-preview`, ErrorBody, 403)

    const [run] = await runRound()
    expect(run).toMatchObject({ userId: ana.id, outcome: 'published' })
    const post = await request(fan, 'GET', `/posts/${run?.postId}`, Post)
    expect(post).toMatchObject({ userId: ana.id, madeByAi: true, isPremium: false })
    const [recordedRun] = await getRuns(ana.id)
    expect(recordedRun).toMatchObject({
      kind: 'test',
      outcome: 'published',
      postId: post.id,
      answer: post.content,
      calls: 2,
    })
    expect(recordedRun?.prompt?.[1]?.content).toContain('Potter in the hills')
    expect(await request(ana, 'GET', '/auto-posts', AutoPostingState)).toMatchObject({
      enabled: true,
      frequency: 'high',
      agreed: true,
    })
    expect((await request(ana, 'GET', '/auto-posts', AutoPostingState)).lastAutoPost).not.toBeNull()
    // A second round directly afterwards skips the creator.
    expect(await runRound()).toMatchObject([{ userId: ana.id, outcome: 'skipped' }])
    expect(await request(boss, 'POST', path, AdminUser, 200, { enabled: false })).toMatchObject({
      autoPostingEnabled: false,
      autoPostingFrequency: 'high',
    })
    expect(await runRound()).toEqual([])
  })

  it('lets a creator publish, edit or discard each draft, and expires old drafts', async () => {
    const { request, runRound, getPosts, auto, jobs, ana, fan } = fixture
    await auto.sql`update private.auto_posting_settings set enabled = true where user_id = ${ana.id}`
    await auto.sql`update public.profile_about set approve_auto_posts = true where user_id = ${ana.id}`
    const createDraft = async () => {
      await auto.sql`update public.auto_post_runs set ended_at = now() - interval '5 minutes' where user_id = ${ana.id}`
      const [run] = await runRound()
      expect(run).toMatchObject({ outcome: 'drafted' })
      return run?.draftId ?? ''
    }
    const [publishedId, changedId, discardedId, expiredId] = [
      await createDraft(),
      await createDraft(),
      await createDraft(),
      await createDraft(),
    ]
    const drafts = () => request(ana, 'GET', '/auto-posts/drafts', z.array(AutoDraft))
    expect((await drafts()).map(({ id, state }) => [id, state])).toEqual(
      [expiredId, discardedId, changedId, publishedId].map((id) => [id, 'waiting']),
    )
    expect(await request(fan, 'GET', '/auto-posts/drafts', z.array(AutoDraft))).toEqual([])
    const [notification] = await request(ana, 'GET', '/notifications', z.array(Notification))
    expect(notification?.details).toEqual({ event: 'draft_ready' })
    const draftPath = (id: string) => `/auto-posts/drafts/${id}`
    await request(fan, 'POST', `${draftPath(publishedId)}/publish`, ErrorBody, 404)
    await request(fan, 'DELETE', draftPath(publishedId), ErrorBody, 404)
    await request(fan, 'GET', `/posts/${publishedId}`, ErrorBody, 404)

    // Another user creates a post with the ID of a draft. Publishing the draft fails, and the draft is unchanged.
    const takenId = await createDraft()
    await request(fan, 'POST', '/posts', Post, 201, { id: takenId, content: 'Mine now' })
    await request(ana, 'POST', `${draftPath(takenId)}/publish`, ErrorBody, 409)
    expect((await drafts()).find(({ id }) => id === takenId)?.state).toBe('waiting')
    await request(ana, 'DELETE', draftPath(takenId), z.null(), 204)

    const postCount = (await getPosts(ana.id)).length
    const post = await request(ana, 'POST', `${draftPath(publishedId)}/publish`, Post)
    expect(post).toMatchObject({ id: publishedId, madeByAi: true, mine: true })
    expect(await request(ana, 'POST', `${draftPath(publishedId)}/publish`, Post)).toEqual(post)
    await request(ana, 'POST', `${draftPath(changedId)}/publish`, ErrorBody, 400, { content: ' ' })
    const ownText = 'In my own words, after all.'
    expect(
      await request(ana, 'POST', `${draftPath(changedId)}/publish`, Post, 200, { content: ownText }),
    ).toMatchObject({
      content: ownText,
    })
    await request(ana, 'DELETE', draftPath(discardedId), z.null(), 204)
    await request(ana, 'DELETE', draftPath(discardedId), z.null(), 204)
    await request(ana, 'POST', `${draftPath(discardedId)}/publish`, ErrorBody, 409)
    await auto.sql`update public.auto_post_drafts set created_at = now() - interval '4 days' where id = ${expiredId}`
    // An expired draft cannot be published even before the job marks it as expired.
    await request(ana, 'POST', `${draftPath(expiredId)}/publish`, ErrorBody, 409)
    await auto.disableAll()
    await auto.unblockJob()
    // The draft is marked as expired by this run, or by a scheduled run just before it.
    expect((await runJob('auto-posts', `${jobs.url}/jobs`)).body).toMatchObject({
      tidied: { drafts: expect.any(Number) },
    })
    await auto.blockJob()
    await request(ana, 'POST', `${draftPath(expiredId)}/publish`, ErrorBody, 409)
    const states = Object.fromEntries((await drafts()).map(({ id, state }) => [id, state]))
    expect(states).toEqual({
      [takenId]: 'discarded',
      [publishedId]: 'published',
      [changedId]: 'published',
      [discardedId]: 'discarded',
      [expiredId]: 'expired',
    })
    expect((await getPosts(ana.id)).length).toBe(postCount + 2)
  })

  it('publishes nothing if consent is withdrawn or the account is suspended during generation', async () => {
    const { runRound, getPosts, auto, ai } = fixture
    const ids = await auto.createCreators(2)
    const before = ai.calls.length
    const releaseCompletions = ai.holdCompletions()
    const running = runRound()
    await expect.poll(() => ai.calls.length).toBe(before + 2)
    await auto.sql`update public.profile_about set allow_auto_posting = false where user_id = ${ids[0] ?? ''}`
    await auto.sql`update public.accounts set suspended_at = now(), suspension_reason = 'Rude' where user_id = ${ids[1] ?? ''}`
    releaseCompletions()
    expect((await running).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['refused', 'Auto-posting is no longer on for this creator.'],
      ['refused', 'Auto-posting is no longer on for this creator.'],
    ])
    expect(await getPosts(...ids)).toHaveLength(0)
  })
})
