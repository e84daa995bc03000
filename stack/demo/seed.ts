import postgres, { type TransactionSql } from 'postgres'
import type { EncryptionKeys } from '../../supabase/functions/_shared/encryption.ts'
import { insertAnalytics, makeViews } from './analytics.ts'
import { insertAuditLog } from './audit.ts'
import { insertAutoPosting, makeAutoPosting } from './auto-posting.ts'
import { checkDemo } from './check.ts'
import { insertCommentLikes, insertComments, makeCommentLikes, makeComments } from './comments.ts'
import { demoUsers } from './content/users.ts'
import { insertConversations, makeConversations } from './conversations.ts'
import { computeCounters } from './counters.ts'
import { makeFanActivity, makeFans } from './fans.ts'
import { insertGallery, makeGallery } from './gallery.ts'
import { insertCases, makeCases } from './moderation.ts'
import {
  makeNewcomerComments,
  makeNewcomerConversations,
  makeNewcomerPosts,
  makeNewcomers,
} from './newcomers.ts'
import { insertNotifications, makeNotifications } from './notifications.ts'
import { insertPayments, makeTips, makeUnlocks } from './payments.ts'
import { insertPayouts } from './payouts.ts'
import {
  type DemoPicture,
  insertMedia,
  type ProfileImages,
  type StoreFile,
  storePictures,
  storeProfileImages,
} from './pictures.ts'
import { insertPosts, makePosts, makeProductPosts } from './posts.ts'
import { insertReactions, makeReactions, makeReposts } from './reactions.ts'
import { insertRelations, makeRelations } from './relations.ts'
import { insertScheduledPosts, makeScheduledPosts } from './scheduled-posts.ts'
import { makeSubscriptions } from './subscriptions.ts'
import { daysBefore } from './time.ts'
import {
  approveAccounts,
  insertLastSeen,
  insertUsers,
  rebuildAccountSearch,
  updateProfiles,
} from './users.ts'

export interface DemoContext {
  /** The superuser's database URL. Only a superuser can turn triggers off. */
  databaseUrl: string
  /** `ENCRYPTION_KEY`, with which the payout details are encrypted, followed by previous keys. */
  encryptionKeys: EncryptionKeys
  /** Prints a line of progress. */
  log: (message: string) => void
  /** Stores the pictures. */
  storage: StoreFile
}

/**
 * Fills an empty platform with the demo: users, their content and a year of activity up to now. Everything except
 * the pictures in Storage is written in one transaction, so the next run after an interruption starts over. A platform
 * that already has accounts is not changed.
 */
export async function seedDemo({ databaseUrl, encryptionKeys, log, storage }: DemoContext): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined })
  try {
    const [account] = await sql`select id from auth.users limit 1`
    if (account) return
    const now = new Date()
    const data = makeData(now)
    // The files are stored before the rows that refer to them. After a crash, the next run replaces the files.
    const [images, pictures] = await Promise.all([
      storeProfileImages(storage),
      storePictures(data.pictureSubjects, storage),
    ])
    await sql.begin(async (tx) => {
      await insertData(tx, { data, images, pictures, encryptionKeys, now })
      await checkDemo(tx)
    })
    await sql`analyze`
    log(
      `Demo data: ${data.users.length} users, ${data.posts.length} posts, ${data.comments.length} comments, ${data.reactions.likes.length} likes.`,
    )
  } finally {
    await sql.end({ timeout: 2 })
  }
}

type DemoData = ReturnType<typeof makeData>

/** Creates all data. Each part has its own random numbers, so that a part can grow without changing the others. */
function makeData(now: Date) {
  const posts = makePosts(now)
  const conversations = makeConversations(now)
  const gallery = makeGallery(now)
  const relations = makeRelations(now)
  const { likes, saves } = makeReactions(posts, relations, now)
  const reposts = makeReposts(now)
  const unlocks = makeUnlocks(posts, relations, now)
  const subscriptions = makeSubscriptions(relations, now)
  const comments = makeComments(posts, relations, unlocks, now)
  const commentLikes = makeCommentLikes(comments, posts, relations, unlocks, now)
  const events = {
    posts,
    relations,
    likes,
    reposts,
    comments,
    commentLikes,
    unlocks,
    subscriptions,
    conversations,
  }
  const notifications = makeNotifications(events, now)

  // The following data adds nothing to `notifications` and does not influence the data above.
  const fans = makeFans(now)
  const fanActivity = makeFanActivity(fans, posts, now)
  const products = makeProductPosts(now)
  const autoPosting = makeAutoPosting(posts, now)
  const moreReactions = makeReactions([...products, ...autoPosting.posts], relations, now)
  const allPosts = [...posts, ...autoPosting.posts, ...makeNewcomerPosts(now)]
  const scheduledPosts = makeScheduledPosts(now)
  const messagePictures = conversations.flatMap(({ messages }) =>
    messages.filter(({ hasPicture }) => hasPicture),
  )
  const refund = fanActivity.unlocks.find(({ at }) => at < daysBefore(now, 16))
  return {
    users: [...demoUsers, ...fans, ...makeNewcomers()],
    posts: allPosts,
    products,
    scheduledPosts,
    pictureSubjects: [
      ...posts
        .filter(({ hasPicture }) => hasPicture)
        .map(({ id, author, at }) => ({ id, owner: author, at })),
      ...messagePictures
        .filter(({ price }) => price === undefined)
        .map(({ id, sender, at }) => ({ id, owner: sender, at })),
      ...gallery,
      ...scheduledPosts
        .filter(({ hasPicture }) => hasPicture)
        .map(({ id, author, at }) => ({ id, owner: author, at })),
      // Listed last, so that the assignment of pictures to the subjects above does not change.
      ...messagePictures
        .filter(({ price }) => price !== undefined)
        .map(({ id, sender, at }) => ({ id, owner: sender, at })),
    ],
    gallery,
    comments: [...comments, ...makeNewcomerComments(now)],
    commentLikes,
    relations: { ...relations, follows: [...relations.follows, ...fanActivity.follows] },
    reactions: {
      likes: [...likes, ...moreReactions.likes],
      saves: [...saves, ...moreReactions.saves],
      reposts,
    },
    conversations: [...conversations, ...makeNewcomerConversations(now)],
    notifications,
    payments: {
      unlocks: [...unlocks, ...fanActivity.unlocks],
      tips: [...makeTips(relations, now), ...fanActivity.tips],
      subscriptions: [...subscriptions, ...fanActivity.subscriptions],
      ...(refund && { refund }),
    },
    autoPosting,
    cases: makeCases(now),
    views: makeViews([...allPosts, ...products], now),
  }
}

interface Insertion {
  data: DemoData
  images: ProfileImages
  pictures: Map<string, DemoPicture>
  encryptionKeys: EncryptionKeys
  now: Date
}

/**
 * Inserts the rows. Most of the platform's functions need a signed-in caller, and like the triggers, they use the
 * current time and notify others. So triggers are on only for the accounts, most rows are inserted directly, and the
 * counters are computed afterwards.
 */
async function insertData(
  tx: TransactionSql,
  { data, images, pictures, encryptionKeys, now }: Insertion,
): Promise<void> {
  await insertUsers(tx, data.users, now)
  // Until the commit, no trigger fires and no foreign key is enforced; checkDemo verifies the foreign keys.
  await tx`set local session_replication_role = replica`
  await updateProfiles(tx, data.users, images, now)
  await insertMedia(tx, pictures.values())
  await insertPosts(tx, [...data.posts, ...data.products], pictures)
  await insertScheduledPosts(tx, data.scheduledPosts, pictures)
  await insertPayments(tx, data.payments)
  await insertGallery(tx, data.gallery, pictures)
  await insertComments(tx, data.comments)
  await insertCommentLikes(tx, data.commentLikes)
  await insertRelations(tx, data.relations)
  await insertReactions(tx, data.reactions)
  await insertConversations(tx, data.conversations, pictures)
  await insertNotifications(tx, data.notifications)
  await insertPayouts(tx, encryptionKeys, now)
  await insertAutoPosting(tx, data.autoPosting, now)
  await insertCases(tx, data.cases, now)
  await approveAccounts(tx, now)
  await insertLastSeen(tx, now)
  await insertAuditLog(tx, now)
  await computeCounters(tx)
  await insertAnalytics(tx, data.views)
  await rebuildAccountSearch(tx)
  await tx`select private.fill_post_search(), private.refresh_topics()`
}
