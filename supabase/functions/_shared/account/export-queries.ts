import { type Sql, type SqlFragment, sql } from '../db/sql.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import { byDay, byNumber, byTime, byUser, type ExportSource } from './export-sources.ts'

/** Returns SQL for an upload's URL. The user can open the URL while signed in. */
const mediaUrl = (id: SqlFragment) => sql`${`${env.publicUrl}/api/media/`}::text || ${id}`

/** Returns SQL for another user as JSON: the id and, if the caller may see the profile `u`, the names. */
const userFields = (id: SqlFragment) =>
  sql`json_build_object('id', ${id}, 'username', u.username, 'name', u.full_name)`
const profileJoin = (id: SqlFragment) => sql`left join public.profiles u on u.id = ${id}`
const dollars = (cents: SqlFragment) => sql`(${cents} / 100.0)::numeric(12, 2)`

/** Returns the sections that are read as one row of JSON, each as a function that selects the row. */
export const singleRecords = ({ userId }: Caller) =>
  ({
    account: (tx: Sql) => tx<{ item: string }[]>`
      select json_build_object(
        'adultConfirmedAt', a.adult_confirmed_at, 'emailConfirmedAt', a.email_confirmed_at,
        'onboardedAt', a.onboarded_at, 'readOnlyReason', a.read_only_reason, 'approvedAt', a.approved_at,
        'suspendedAt', a.suspended_at, 'suspendedUntil', a.suspended_until, 'suspensionReason', a.suspension_reason,
        'posts', n.posts, 'followers', n.followers, 'following', n.following, 'subscribers', n.subscribers,
        'unreadMessages', c.unread_messages, 'unreadNotifications', c.unread_notifications,
        'balance', coalesce((
          select ${dollars(sql`b.total_cents - b.test_cents`)} from public.creator_balances b where b.user_id = a.user_id), 0),
        'testBalance', coalesce((
          select ${dollars(sql`b.test_cents`)} from public.creator_balances b where b.user_id = a.user_id), 0))::text as item
      from public.accounts a
      join public.profile_counts n on n.user_id = a.user_id
      join public.user_counters c on c.user_id = a.user_id
      where a.user_id = ${userId}::text::uuid`,
    notes: (tx: Sql) => tx<{ item: string }[]>`select private.export_unlinked_records()::text as item`,
    sessions: (tx: Sql) => tx<{ item: string }[]>`
      select coalesce(json_agg(json_build_object(
        'userAgent', s.user_agent, 'address', s.address, 'createdAt', s.created_at,
        'lastSeenAt', s.last_seen_at)), '[]')::text as item
      from private.list_own_sessions() s`,
  }) as const

/** Returns the sections that are lists, keyed by their names in the export. */
export function exportSections({ userId }: Caller): Record<string, ExportSource> {
  const me = sql`${userId}::text::uuid`
  const relations = (table: SqlFragment, mine: SqlFragment, theirs: SqlFragment) =>
    byTime({
      item: sql`json_build_object('person', ${userFields(theirs)}, 'since', f.created_at)`,
      from: sql`${table} f ${profileJoin(theirs)} where ${mine} = ${me}`,
      at: sql`f.created_at`,
      id: theirs,
    })
  const postInteractions = (table: SqlFragment) =>
    byTime({
      item: sql`json_build_object('postId', l.post_id, 'createdAt', l.created_at)`,
      from: sql`${table} l where l.user_id = ${me}`,
      at: sql`l.created_at`,
      id: sql`l.post_id`,
    })
  const subscriptionList = (mine: SqlFragment, theirs: SqlFragment, name: string) =>
    byTime({
      item: sql`json_build_object('id', s.id, ${name}::text, ${userFields(theirs)}, 'state', s.state,
        'pricePerMonth', ${dollars(sql`round(s.price_cents::numeric / s.months)`)},
        'price', ${dollars(sql`s.price_cents`)}, 'months', s.months, 'startedAt', s.started_at, 'periodEnd', s.period_end,
        'cancelledAt', s.cancelled_at, 'endedAt', s.ended_at, 'createdAt', s.created_at)`,
      from: sql`public.subscriptions s ${profileJoin(theirs)} where ${mine} = ${me}`,
      at: sql`s.created_at`,
      id: sql`s.id`,
    })
  const [follower, followee] = [sql`f.follower_id`, sql`f.followee_id`]
  return {
    posts: postSection(me),
    comments: byTime({
      item: sql`json_build_object('id', c.id, 'postId', c.post_id, 'parentCommentId', c.parent_comment_id,
        'content', c.content, 'repliesCount', c.replies_count, 'likesCount', c.likes_count, 'createdAt', c.created_at, 'hidden', c.hidden)`,
      from: sql`public.comments c where c.author_id = ${me}`,
      at: sql`c.created_at`,
      id: sql`c.id`,
      // The policies hide the user's comments on posts that the user can no longer see.
      bypassesPolicies: true,
    }),
    likes: postInteractions(sql`public.likes`),
    reposts: postInteractions(sql`public.reposts`),
    commentLikes: byTime({
      item: sql`json_build_object('commentId', l.comment_id, 'createdAt', l.created_at)`,
      from: sql`public.comment_likes l where l.user_id = ${me}`,
      at: sql`l.created_at`,
      id: sql`l.comment_id`,
    }),
    saves: postInteractions(sql`public.saves`),
    following: relations(sql`public.follows`, follower, followee),
    postAlerts: byTime({
      item: sql`json_build_object('person', ${userFields(followee)}, 'level', k.level)`,
      from: sql`public.post_alerts k join public.follows f on f.follower_id = k.user_id and f.followee_id = k.author_id
        ${profileJoin(followee)} where k.user_id = ${me}`,
      at: sql`f.created_at`,
      id: followee,
    }),
    followers: relations(sql`public.follows`, followee, follower),
    requestsSent: relations(sql`public.follow_requests`, follower, followee),
    requestsReceived: relations(sql`public.follow_requests`, followee, follower),
    blocked: relations(sql`public.blocks`, sql`f.blocker_id`, sql`f.blocked_id`),
    notifications: byTime({
      item: sql`json_build_object('id', n.id, 'kind', n.kind, 'by', ${userFields(sql`n.actor_id`)}, 'postId', n.post_id,
        'commentId', n.comment_id, 'messageId', n.message_id, 'detail', n.detail, 'createdAt', n.created_at,
        'readAt', n.read_at)`,
      from: sql`public.notifications n ${profileJoin(sql`n.actor_id`)} where n.user_id = ${me}`,
      at: sql`n.created_at`,
      id: sql`n.id`,
    }),
    uploads: byTime({
      item: sql`json_build_object('id', m.id, 'kind', m.kind, 'state', m.state, 'address', ${mediaUrl(sql`m.id`)},
        'type', m.content_type, 'bytes', m.bytes, 'width', m.width, 'height', m.height, 'createdAt', m.created_at)`,
      from: sql`public.media m where m.owner_id = ${me}`,
      at: sql`m.created_at`,
      id: sql`m.id`,
    }),
    gallery: byTime({
      item: sql`json_build_object('id', g.id, 'address', ${mediaUrl(sql`g.media_id`)}, 'title', g.title,
        'description', g.description, 'createdAt', g.created_at, 'deletedAt', g.deleted_at)`,
      from: sql`public.gallery_items g where g.user_id = ${me}`,
      at: sql`g.created_at`,
      id: sql`g.id`,
      // The policies hide deleted items that can still be restored, even from their owner.
      bypassesPolicies: true,
    }),
    unlocks: byTime({
      item: sql`json_build_object('postId', k.post_id, 'paymentId', k.payment_id, 'createdAt', k.created_at)`,
      from: sql`public.unlocks k where k.user_id = ${me}`,
      at: sql`k.created_at`,
      id: sql`k.post_id`,
    }),
    payments: byTime({
      item: sql`json_build_object('id', p.id, 'kind', p.kind, 'to', ${userFields(sql`p.payee_id`)}, 'postId', p.post_id,
        'aboutPostId', p.about_post_id, 'messageId', p.message_id, 'note', p.note, 'subscriptionId', p.subscription_id,
        'planId', p.plan_id, 'periodStart', p.period_start, 'months', case when p.period_start is not null then p.months end,
        'amount', ${dollars(sql`p.amount_cents`)}, 'provider', p.provider,
        'reference', p.provider_reference, 'state', p.state, 'createdAt', p.created_at, 'settledAt', p.settled_at,
        'givenBackAt', p.refunded_at)`,
      from: sql`public.payments p ${profileJoin(sql`p.payee_id`)} where p.payer_id = ${me}`,
      at: sql`p.created_at`,
      id: sql`p.id`,
    }),
    ledger: byNumber({
      item: sql`json_build_object('transactionId', t.id, 'kind', t.kind, 'label', e.label,
        'amount', ${dollars(sql`e.amount_cents`)}, 'createdAt', t.created_at)`,
      from: sql`public.ledger_entries e join public.ledger_transactions t on t.id = e.transaction_id
                where e.user_id = ${me}`,
      number: sql`e.id`,
    }),
    payoutMethods: byTime({
      item: sql`json_build_object('id', m.id, 'type', m.type, 'name', m.name, 'details', m.masked,
        'isDefault', m.is_default, 'createdAt', m.created_at, 'changedAt', m.changed_at)`,
      from: sql`public.payout_methods m where m.user_id = ${me}`,
      at: sql`m.created_at`,
      id: sql`m.id`,
    }),
    payouts: byTime({
      item: sql`json_build_object('id', o.id, 'kind', o.kind, 'amount', ${dollars(sql`o.amount_cents`)},
        'methodType', o.method_type, 'methodName', o.method_name, 'methodDetails', o.method_masked,
        'state', o.state, 'createdAt', o.created_at, 'settledAt', o.settled_at, 'reference', o.reference,
        'failure', o.failure)`,
      from: sql`public.payouts o where o.user_id = ${me}`,
      at: sql`o.created_at`,
      id: sql`o.id`,
    }),
    payoutSchedule: byTime({
      item: sql`json_build_object('weekly', s.weekly, 'nextAt', s.next_at)`,
      from: sql`public.payout_schedules s where s.user_id = ${me}`,
      at: sql`s.next_at`,
      id: sql`s.user_id`,
    }),
    goals: byNumber({
      item: sql`json_build_object('monthlyRevenue', ${dollars(sql`g.monthly_cents`)},
        'yearlyRevenue', ${dollars(sql`g.yearly_cents`)}, 'subscribers', g.subscribers)`,
      from: sql`public.creator_goals g where g.user_id = ${me}`,
      number: sql`g.monthly_cents`,
    }),
    subscriptions: subscriptionList(sql`s.subscriber_id`, sql`s.creator_id`, 'creator'),
    subscribers: subscriptionList(sql`s.creator_id`, sql`s.subscriber_id`, 'subscriber'),
    scheduledPosts: byTime({
      item: sql`json_build_object('id', s.id, 'publishAt', s.publish_at, 'content', s.content, 'teaser', s.teaser,
        'isPremium', s.premium_price is not null, 'premiumPrice', s.premium_price,
        'includedInSubscription', s.included_in_subscription, 'showUnlocks', s.show_unlocks,
        'media', ${mediaUrl(sql`s.media_id`)}, 'poster', ${mediaUrl(sql`s.poster_id`)}, 'altText', s.alt_text,
        'quotedPostId', s.quoted_post_id, 'failure', s.failure, 'createdAt', s.created_at)`,
      from: sql`public.scheduled_posts s where s.author_id = ${me}`,
      at: sql`s.created_at`,
      id: sql`s.id`,
    }),
    massMessages: byTime({
      item: sql`json_build_object('id', m.id, 'content', m.content, 'recipients', m.recipients, 'sent', m.sent,
        'createdAt', m.created_at, 'finishedAt', m.finished_at, 'stopped', m.stopped)`,
      from: sql`public.mass_messages m where m.creator_id = ${me}`,
      at: sql`m.created_at`,
      id: sql`m.id`,
    }),
    welcomeMessage: byTime({
      item: sql`json_build_object('content', w.content, 'updatedAt', w.updated_at)`,
      from: sql`public.welcome_messages w where w.creator_id = ${me}`,
      at: sql`w.updated_at`,
      id: sql`w.creator_id`,
    }),
    privateNotes: byUser({
      item: sql`json_build_object('user', ${userFields(sql`n.user_id`)}, 'content', n.content, 'updatedAt', n.updated_at)`,
      from: sql`public.user_notes n ${profileJoin(sql`n.user_id`)} where n.author_id = ${me}`,
      userId: sql`n.user_id`,
    }),
    ...creatorSections(me),
    ...auditSections(me),
    ...moderationSections(me),
    ...autoPostSections(me),
  }
}

/** Returns the sections with Creator Pro plans and analytics. */
const creatorSections = (me: SqlFragment) => ({
  creatorPlans: byTime({
    item: sql`json_build_object('id', s.id, 'state', s.state, 'pricePerMonth', ${dollars(sql`s.price_cents`)},
      'startedAt', s.started_at, 'periodEnd', s.period_end, 'cancelledAt', s.cancelled_at, 'endedAt', s.ended_at,
      'createdAt', s.created_at)`,
    from: sql`public.creator_plans s where s.user_id = ${me}`,
    at: sql`s.created_at`,
    id: sql`s.id`,
  }),
  figures: byDay({
    item: sql`json_build_object('day', d.day, 'views', d.views, 'likes', d.likes, 'comments', d.comments,
      'newFollowers', d.followers, 'newSubscribers', d.subscribers,
      'viewsByHour', (select coalesce(json_object_agg(h.hour, h.views order by h.hour), '{}')
                      from public.creator_hours h where h.creator_id = d.creator_id and h.day = d.day),
      'viewsBySource', (select coalesce(json_object_agg(s.source, s.views order by s.source), '{}')
                        from private.own_view_sources(d.day, d.day) s))`,
    from: sql`public.creator_days d where d.creator_id = ${me}`,
    day: sql`d.day`,
  }),
})

/**
 * Returns the sections with audit entries about the user and, if the user is an admin, about the user's own actions.
 */
const auditSections = (me: SqlFragment) => ({
  audit: byNumber({
    item: sql`json_build_object('action', a.action, 'subject', a.subject, 'change', a.change,
      'createdAt', a.created_at)`,
    from: sql`public.audit_entries a where a.target_id = ${me}`,
    number: sql`a.id`,
    // Read as the service role, because only admins may read the audit log: its entries identify admins. The export
    // leaves out which admin acted.
    bypassesPolicies: true,
  }),
  adminActions: byNumber({
    item: sql`json_build_object('action', a.action, 'targetId', a.target_id, 'subject', a.subject, 'change', a.change,
      'createdAt', a.created_at)`,
    from: sql`public.audit_entries a where a.actor_id = ${me}`,
    number: sql`a.id`,
  }),
})

/** Returns the sections with the user's reports and the moderation decisions about the user. */
const moderationSections = (me: SqlFragment) => ({
  reports: byTime({
    item: sql`json_build_object('id', r.id, 'kind', r.kind, 'subjectId', r.subject_id, 'reason', r.reason,
      'note', r.note, 'createdAt', r.created_at, 'outcome', r.outcome, 'decidedAt', r.decided_at)`,
    from: sql`public.reports r where r.reporter_id = ${me}`,
    at: sql`r.created_at`,
    id: sql`r.id`,
  }),
  decisions: byTime({
    item: sql`json_build_object('id', d.id, 'kind', d.kind, 'subjectId', d.subject_id, 'looked', d.snapshots,
      'decision', d.decision, 'reason', d.reason, 'decidedAt', d.decided_at, 'suspendedUntil', d.suspended_until,
      'appeal', d.appeal, 'appealedAt', d.appealed_at, 'appealOutcome', d.appeal_outcome,
      'appealAnswer', d.appeal_answer, 'appealDecidedAt', d.appeal_decided_at)`,
    // The condition on the user is necessary, because the policy lets admins read all cases.
    from: sql`public.moderation_cases d
              where d.user_id = ${me} and d.state <> 'open' and d.decision <> 'dismiss'`,
    at: sql`d.decided_at`,
    id: sql`d.id`,
  }),
})

/** Returns the sections with auto-posting runs and drafts. */
const autoPostSections = (me: SqlFragment) => ({
  autoPostRuns: byTime({
    item: sql`json_build_object('id', x.id, 'kind', x.kind, 'outcome', x.outcome, 'detail', x.detail,
      'model', x.model, 'prompt', x.prompt, 'answer', x.answer, 'postId', x.post_id, 'draftId', x.draft_id,
      'startedAt', x.started_at, 'endedAt', x.ended_at)`,
    from: sql`public.auto_post_runs x where x.user_id = ${me}`,
    at: sql`x.started_at`,
    id: sql`x.id`,
  }),
  autoPostDrafts: byTime({
    item: sql`json_build_object('id', f.id, 'content', f.content, 'state', f.state, 'createdAt', f.created_at,
      'decidedAt', f.decided_at)`,
    from: sql`public.auto_post_drafts f where f.user_id = ${me}`,
    at: sql`f.created_at`,
    id: sql`f.id`,
  }),
})

/** Returns the section with the user's posts, including the paid content of premium posts. */
const postSection = (me: SqlFragment) =>
  byTime({
    item: sql`json_build_object('id', p.id, 'content', coalesce(c.content, p.content), 'teaser', p.teaser,
      'isPremium', p.is_premium, 'premiumPrice', p.premium_price,
      'includedInSubscription', p.included_in_subscription, 'showUnlocks', p.unlocks_count is not null,
      'mediaType', p.media_type,
      'media', ${mediaUrl(sql`coalesce(c.media_id, p.media_id)`)},
      'poster', ${mediaUrl(sql`coalesce(c.poster_id, p.poster_id)`)},
      'altText', coalesce(c.alt_text, p.alt_text), 'product', p.product,
      'isQuote', p.is_quote,
      'quotedPostId', (select x.quoted_post_id from public.post_quotes x where x.post_id = p.id),
      'tags', (select coalesce(json_agg(t.tag order by t.tag), '[]') from public.post_tags t where t.post_id = p.id),
      'likesCount', p.likes_count, 'commentsCount', p.comments_count, 'repostsCount', p.reposts_count, 'createdAt', p.created_at,
      'editedAt', p.edited_at, 'madeBy', p.made_by, 'hidden', p.hidden, 'pinned', p.pinned,
      'viewsByDay', (select coalesce(json_object_agg(d.day, d.views order by d.day), '{}')
                     from public.post_days d where d.post_id = p.id))`,
    from: sql`public.posts p left join public.premium_contents c on c.post_id = p.id where p.author_id = ${me}`,
    at: sql`p.created_at`,
    id: sql`p.id`,
    // The policies hide posts that moderators removed, even from their author.
    bypassesPolicies: true,
  })

/**
 * Returns the list of the caller's conversations. The other user is named even if either user has blocked the other.
 */
export const conversations = ({ userId }: Caller): ExportSource =>
  byUser({
    item: sql`json_build_object('id', m.conversation_id, 'with', json_build_object('id', m.partner_id,
      'username', u.username, 'name', coalesce(u.full_name, 'Deleted user')), 'unread', m.unread_count)`,
    from: sql`public.conversation_members m left join private.conversation_partners u on u.id = m.partner_id
              where m.user_id = ${userId}::text::uuid`,
    userId: sql`m.partner_id`,
  })

/** Returns the list of a conversation's messages, sent and received, oldest first. */
export const messagesIn = ({ userId }: Caller, conversationId: string): ExportSource =>
  byNumber({
    item: sql`json_build_object('id', x.id, 'mine', x.sender_id = ${userId}::text::uuid, 'content', x.content,
      'image', case when x.media_duration is null then ${mediaUrl(sql`coalesce(x.media_id,
        case when x.price_cents is not null then private.paid_photo_media_id(x.id) end)`)} end,
      'price', ${dollars(sql`x.price_cents`)},
      'voiceMessage', case when x.media_duration is not null then ${mediaUrl(sql`x.media_id`)} end,
      'answerTo', x.reply_to_id, 'reactions', x.reactions, 'toSubscribers', x.mass_message_id is not null,
      'createdAt', x.created_at, 'editedAt', x.edited_at, 'deletedAt', x.deleted_at)`,
    from: sql`public.messages x where x.conversation_id = ${conversationId}::text::uuid`,
    number: sql`x.seq`,
  })
