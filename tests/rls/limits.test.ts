import { describe, expect, it } from 'vitest'
import { intervals } from '../../supabase/functions/_shared/contract/intervals.ts'
import { limits } from '../../supabase/functions/_shared/contract/limits.ts'
import { SubjectKind } from '../../supabase/functions/_shared/contract/moderation.ts'
import { NotificationKind } from '../../supabase/functions/_shared/contract/notification.ts'
import { ProfileVisibility } from '../../supabase/functions/_shared/contract/profile-visibility.ts'
import { ScheduleFailure } from '../../supabase/functions/_shared/contract/scheduled-post.ts'
import { PostAlerts } from '../../supabase/functions/_shared/contract/user.ts'
import { getSqlState, insertUser, runAs, sql } from './database.ts'

// Compares the contract's limits and enums with those in SQL. In SQL, they are in constraints, function results,
// function bodies, view definitions, column defaults and storage buckets.

const cents = (dollars: number) => Math.round(dollars * 100)
const between = (min: number, max: number) => new RegExp(`>= \\(?${min}\\)?\\D.*<= \\(?${max}\\)?(\\D|$)`)
const atMost = (max: number) => new RegExp(`<= ${max}(\\D|$)`)

/** Returns a column's check constraint. `column` is `[schema.]table.column`, and the default schema is `public`. */
async function getCheckConstraint(column: string): Promise<string> {
  const [name, table, schema = 'public'] = column.split('.').reverse()
  const [constraint] = await sql<{ definition: string }[]>`
    select pg_get_constraintdef(c.oid) as definition from pg_constraint c
    where c.conrelid = ${`${schema}.${table}`}::regclass and c.conname = ${`${table}_${name}_check`}`
  return constraint?.definition ?? ''
}

describe('the contract and SQL', () => {
  it.each([
    ['private.access_tokens.name', between(1, limits.accessTokenName.max)],
    ['accounts.phone_number', between(limits.phoneNumber.min, limits.phoneNumber.max)],
    ['comments.content', atMost(limits.commentContent.max)],
    ['creator_goals.monthly_cents', between(100, cents(limits.goals.max.monthlyRevenue))],
    ['creator_goals.yearly_cents', between(100, cents(limits.goals.max.yearlyRevenue))],
    ['creator_goals.subscribers', between(1, limits.goals.max.subscribers)],
    ['gallery_items.title', atMost(limits.gallery.titleMax)],
    ['gallery_items.description', atMost(limits.gallery.descriptionMax)],
    ['mass_messages.content', atMost(limits.messageContent.max)],
    ['messages.content', atMost(limits.messageContent.max)],
    ['messages.price_cents', between(cents(limits.premiumPrice.min), cents(limits.premiumPrice.max))],
    ['moderation_cases.reason', atMost(limits.moderationReason.max)],
    ['moderation_cases.appeal', atMost(limits.appeal.max)],
    ['moderation_cases.appeal_answer', atMost(limits.moderationReason.max)],
    ['payments.note', atMost(limits.tipNote.max)],
    ['payout_methods.name', atMost(limits.payoutMethodName.max)],
    ['post_tags.tag', atMost(limits.tag.max)],
    ['posts.alt_text', atMost(limits.altText.max)],
    ['posts.content', atMost(limits.postContent.max)],
    ['posts.premium_price', between(limits.premiumPrice.adminMin, limits.premiumPrice.max)],
    ['posts.teaser', atMost(limits.teaser.max)],
    ['premium_contents.alt_text', atMost(limits.altText.max)],
    ['premium_contents.content', atMost(limits.postContent.max)],
    ['auto_post_drafts.content', atMost(limits.postContent.max)],
    ['scheduled_posts.alt_text', atMost(limits.altText.max)],
    ['scheduled_posts.content', atMost(limits.postContent.max)],
    ['scheduled_posts.premium_price', between(limits.premiumPrice.adminMin, limits.premiumPrice.max)],
    ['scheduled_posts.teaser', atMost(limits.teaser.max)],
    ['profile_about.age', between(limits.age.adminMin, limits.age.max)],
    ['profile_about.lives_in', atMost(limits.aboutLine.max)],
    ['profile_about.from_location', atMost(limits.aboutLine.max)],
    ['profile_about.studied_at', atMost(limits.aboutLine.max)],
    ['profile_details.bio', atMost(limits.bio.max)],
    ['posts.product', between(limits.product.price.min, limits.product.price.max)],
    ['posts.product', atMost(limits.product.name)],
    ['posts.product', atMost(limits.product.category)],
    ['profiles.username', new RegExp(`\\{${limits.username.min},${limits.username.max}\\}`)],
    ['profiles.first_name', between(1, limits.fullName.max)],
    ['profiles.full_name', between(limits.fullName.min, limits.fullName.max)],
    ['profiles.last_name', between(1, limits.fullName.max)],
    ['reports.note', atMost(limits.reportNote.max)],
    ['user_notes.content', between(1, limits.userNote.max)],
    ['user_settings.home_tabs', atMost(limits.homeTabs)],
    ['user_settings.home_tabs', new RegExp(`\\{1,${limits.tag.max}\\}`)],
    ['welcome_messages.content', atMost(limits.messageContent.max)],
  ])('agree on %s', async (column, pattern) => {
    expect(await getCheckConstraint(column)).toMatch(pattern)
  })

  it.each([
    ['notifications.kind', NotificationKind.options],
    ['post_alerts.level', PostAlerts.options],
    ['profiles.visibility', ProfileVisibility.options],
    ['moderation_cases.kind', SubjectKind.options],
    ['scheduled_posts.failure', ScheduleFailure.options],
  ])('agree on the values of %s', async (column, values) => {
    const allowed = [...(await getCheckConstraint(column)).matchAll(/'([^']*)'::text/g)].map(
      ([, value]) => value,
    )
    expect(allowed.sort()).toEqual([...values].sort())
  })

  it('agree on the values that SQL functions return', async () => {
    const [values] = await sql`
      select private.minimum_payout_cents()::integer as "minimumPayout",
             private.subscription_price_cents()::integer as "subscriptionPrice",
             private.creator_pro_price_cents()::integer as "creatorProPrice",
             extract(epoch from private.clearing_period())::integer / 86400 as "clearingDays",
             extract(epoch from private.payout_method_delay())::integer / 86400 as "payoutMethodHoldDays"`
    expect(values).toEqual({
      minimumPayout: cents(limits.minimumPayout),
      subscriptionPrice: cents(limits.subscriptionPrice),
      creatorProPrice: cents(limits.creatorProPrice),
      clearingDays: limits.clearingDays,
      payoutMethodHoldDays: limits.payoutMethodHoldDays,
    })
  })

  it.each([
    ['create_access_token', `>= ${limits.maxAccessTokens} then`],
    ['extract_tags', `char_length(tag) <= ${limits.tag.max} `],
    ['is_http_url', `char_length(value) <= ${limits.webAddress.max} `],
    ['update_own_profile', `::integer < ${limits.age.min} then`],
    ['restriction_reason', `t.age < ${limits.age.min} `],
    ['appeal_case', `interval '${limits.appeal.days} days'`],
    ['require_message_text', `> ${limits.messageContent.max} then`],
    ['begin_tip', `between ${limits.tip.min} and ${limits.tip.max}`],
    ['require_can_edit_message', `interval '${limits.messageEditWindowMs / 60_000} minutes'`],
    ['next_mass_message_at', `offset ${limits.massMessagesPerDay - 1} limit 1`],
    ['message_json', `left(q.content, ${limits.quoteLength})`],
    ['store_paid_photo', `between ${cents(limits.premiumPrice.min)} and ${cents(limits.premiumPrice.max)}`],
    ['save_payout_method', `>= ${limits.maxPayoutMethods}`],
  ])('agree on the limit in private.%s', async (name, expected) => {
    const [definition] = await sql<{ body: string }[]>`
      select p.prosrc as body from pg_proc p
      where p.pronamespace = 'private'::regnamespace and p.proname = ${name}`
    expect(definition?.body).toContain(expected)
  })

  it('agree that a user counts as online for longer than two polling intervals', async () => {
    const [view] = await sql<{ definition: string }[]>`
      select pg_get_viewdef('private.visible_presences'::regclass) as definition`
    const [, minutes, seconds] =
      /seen_at > \(now\(\) - '00:(\d\d):(\d\d)'::interval\)/.exec(view?.definition ?? '') ?? []
    expect((Number(minutes) * 60 + Number(seconds)) * 1000).toBeGreaterThan(2 * intervals.pollMs)
  })

  it('agree on the default goals of a creator', async () => {
    const defaults = await sql<{ name: string; value: number }[]>`
      select c.column_name as name, c.column_default::integer as value from information_schema.columns c
      where (c.table_schema, c.table_name) = ('public', 'creator_goals') and c.column_default is not null`
    expect(Object.fromEntries(defaults.map(({ name, value }) => [name, value]))).toEqual({
      monthly_cents: cents(limits.goals.monthlyRevenue),
      yearly_cents: cents(limits.goals.yearlyRevenue),
      subscribers: limits.goals.subscribers,
    })
  })

  it('agree on the duration and the levels of voice recordings', async () => {
    const constraints = await sql<{ definition: string }[]>`
      select pg_get_constraintdef(c.oid) as definition from pg_constraint c
      where c.conrelid = 'public.media'::regclass and c.contype = 'c'`
    const all = constraints.map(({ definition }) => definition).join()
    expect(all).toMatch(between(1, limits.voice.maxSeconds))
    expect(all).toContain(`[0-9a-f]{${limits.voice.levels}}$`)
  })

  it('agree on the sizes that the storage buckets accept', async () => {
    const buckets = await sql<{ id: string; size: number }[]>`
      select b.id, b.file_size_limit::integer as size from storage.buckets b where b.id in ('avatars', 'media')`
    expect(Object.fromEntries(buckets.map(({ id, size }) => [id, size]))).toEqual({
      avatars: limits.profileImage.maxBytes,
      media: limits.video.maxBytes,
    })
  })

  it('limit the tabs of the home feed, even for clients that use the Data API directly', async () => {
    const user = await insertUser()
    const update = (tabs: string) =>
      runAs(user, (tx) => tx`update public.user_settings set home_tabs = ${tabs}::text::text[]`)
    await update('{subscriptions,#jazz,#été}')
    const tooLong = `{#${'a'.repeat(limits.tag.max + 1)}}`
    for (const tabs of ['{#a,#b,#c,#d,#e,#f}', '{home}', '{#}', '{NULL}', '{{#a},{#b}}', tooLong]) {
      expect([tabs, await getSqlState(update(tabs))]).toEqual([tabs, '23514'])
    }
    const [settings] = await sql`select home_tabs from public.user_settings where user_id = ${user.id}`
    expect(settings?.home_tabs).toEqual(['subscriptions', '#jazz', '#été'])
    await update('{}')
  })
})
