import postgres from 'postgres'
import { type DemoAutoPosting, makeAutoPosting } from './auto-posts.ts'
import { makeCases } from './cases.ts'
import { checkDemo } from './check.ts'
import { makeComments } from './comments.ts'
import { type DemoConversation, makeConversations } from './conversations.ts'
import { type Fan, makeFans, makeFanYear } from './fans.ts'
import { type DemoItem, makeGallery } from './gallery.ts'
import { groupNotices } from './groups.ts'
import { countAll, type DemoData, insertData } from './insert.ts'
import { updateAbout } from './insert-about.ts'
import { approveAccounts, fillSearch, insertAudit } from './insert-audit.ts'
import { insertAutoPosting } from './insert-auto-posts.ts'
import { insertCases } from './insert-cases.ts'
import { insertFans } from './insert-fans.ts'
import { insertPayouts } from './insert-payouts.ts'
import { insertAccounts, type PicturePaths, uidOf, updateProfiles } from './insert-people.ts'
import { insertFigures } from './insert-year.ts'
import {
  makeNewcomers,
  makeNewcomersComments,
  makeNewcomersPosts,
  makeNewcomersTalks,
  updateNewcomers,
} from './newcomers.ts'
import { makeNotices } from './notices.ts'
import { createRandom, seedOf } from './numbers.ts'
import { makeMorePosts, makeUnlocks } from './paid.ts'
import { people } from './people.ts'
import {
  type DemoPicture,
  storeGalleryPictures,
  storeMessagePictures,
  storePostPictures,
} from './pictures/posts.ts'
import { storePictures } from './pictures/store.ts'
import { type DemoPost, makePosts } from './posts.ts'
import { makeProducts } from './products.ts'
import { makeReactions } from './reactions.ts'
import { makeRelations } from './relations.ts'
import { makeSubscriptions } from './subscriptions.ts'
import { makeTips } from './tips.ts'
import { makeViews } from './views.ts'

export interface DemoContext {
  /** The superuser's address: triggers rest while the rows are written. */
  databaseUrl: string
  /** `ENCRYPTION_KEY`, with which the API reads where payouts go. */
  encryptionKey: string
  /** Prints a line of progress. */
  log: (message: string) => void
  /** Stores a file of a public bucket, replacing one of the same name. Without it nobody has a picture. */
  storage?: (bucket: string, path: string, bytes: Uint8Array, contentType: string) => Promise<void>
}

/**
 * Fills an empty platform with the demo: people, what they wrote, and what they did with it over a year that ends
 * now. All rows come in one transaction, so a run that was cut off leaves nothing and the next one starts afresh; a
 * platform that has the demo already, or accounts of its own, is left as it is.
 */
export async function seedDemo(context: DemoContext): Promise<void> {
  const sql = postgres(context.databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => undefined })
  try {
    const [state] = await sql<{ seeded: boolean; used: boolean }[]>`
      select exists (select from auth.users u where u.id = ${uidOf('noormakes')}) as seeded,
             exists (select from auth.users) as used`
    if (state?.seeded) return
    if (state?.used) {
      context.log('This platform has accounts already: the demo data is left out.')
      return
    }
    const pictures: PicturePaths = await makePictures(sql, context)
    const now = new Date()
    const posts = makeAllPosts(now)
    const conversations = makeConversations(now, createRandom(7))
    const gallery = makeGallery(now)
    const pictured = { posts, conversations, gallery }
    const fans = makeFans(now)
    const newcomers = makeNewcomers()
    const auto = makeAutoPosting(posts, now)
    const data = makeData(now, fans, pictured, auto, await makeMedia(sql, context, pictured))
    const views = makeViews(people, [...data.posts, ...data.products], now)
    await sql.begin(async (tx) => {
      await insertAccounts(tx, people, now)
      // Triggers and foreign keys rest until the commit; checkDemo looks for what they would have refused.
      await tx`set local session_replication_role = replica`
      await updateProfiles(tx, people, pictures, now)
      await updateAbout(tx)
      await insertFans(tx, [...fans, ...newcomers], now)
      await insertData(tx, data)
      await insertPayouts(tx, context.encryptionKey, now)
      await updateNewcomers(tx, now)
      await insertAutoPosting(tx, auto, now)
      await insertCases(tx, makeCases(now), now)
      await approveAccounts(tx, now)
      await insertAudit(tx, now)
      await countAll(tx)
      await insertFigures(tx, views)
      await fillSearch(tx)
      await checkDemo(tx)
      await tx`select private.refresh_trending()`
    })
    await sql`analyze`
    context.log(
      `Demo data: ${people.length + fans.length + newcomers.length} people, ${data.posts.length} posts, ${data.comments.length} comments, ${data.likes.length} likes.`,
    )
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Stored before the rows that name them: after a crash between the two, the next run replaces them. */
async function makePictures(sql: postgres.Sql, { storage, log }: DemoContext): Promise<PicturePaths> {
  if (!storage) return new Map()
  const buckets = await sql`select from storage.buckets b where b.id = 'avatars' and b.public`
  if (buckets.length > 0) return await storePictures(people, storage)
  log('There is no public bucket named avatars: the demo goes without pictures.')
  return new Map()
}

/** What there is a picture of. */
interface Pictured {
  posts: DemoPost[]
  conversations: DemoConversation[]
  gallery: DemoItem[]
}

/** Posts and messages show no picture where there is nothing to store it in. */
async function makeMedia(
  sql: postgres.Sql,
  { storage }: DemoContext,
  { posts, conversations, gallery }: Pictured,
): Promise<Map<string, DemoPicture>> {
  const buckets = storage ? await sql`select from storage.buckets b where b.id = 'media'` : []
  if (!storage || buckets.length === 0) return new Map()
  const ofPosts = await storePostPictures(people, posts, storage)
  const ofMessages = await storeMessagePictures(people, conversations, storage)
  return new Map([...ofPosts, ...ofMessages, ...(await storeGalleryPictures(people, gallery, storage))])
}

// One stream for each part, so that a part that grows leaves the others as they were.

function makeAllPosts(now: Date): DemoPost[] {
  const posts = people.flatMap((person) => makePosts(person, now, createRandom(seedOf(person.username))))
  return [...posts, ...makeMorePosts(now)]
}

function makeData(
  now: Date,
  fans: Fan[],
  { posts, conversations, gallery }: Pictured,
  auto: DemoAutoPosting,
  pictures: Map<string, DemoPicture>,
): DemoData {
  const relations = makeRelations(people, now, createRandom(17))
  const { likes, saves } = makeReactions(people, posts, relations, now)
  const unlocks = makeUnlocks(people, posts, relations, now)
  const subscriptions = makeSubscriptions(people, relations, now)
  const comments = makeComments(people, posts, relations, unlocks, now)
  const random = createRandom(99)
  const notices = groupNotices(
    makeNotices(
      people,
      posts,
      relations,
      likes,
      comments,
      unlocks,
      subscriptions,
      conversations,
      now,
      random,
    ),
  )
  // What came beside: the stories above are those of people with a face.
  const products = makeProducts(now)
  const liked = makeReactions(people, [...products, ...auto.posts], relations, now)
  const year = makeFanYear(fans, posts, now)
  const long = now.getTime() - 16 * 86_400_000
  return {
    posts: [...posts, ...auto.posts, ...makeNewcomersPosts(now)],
    products,
    pictures,
    relations: { ...relations, follows: [...relations.follows, ...year.follows] },
    likes: [...likes, ...liked.likes],
    saves: [...saves, ...liked.saves],
    unlocks: [...unlocks, ...year.unlocks],
    refunded: year.unlocks.find(({ at }) => at.getTime() < long)?.payment ?? null,
    tips: [...makeTips(people, relations, now), ...year.tips],
    subscriptions: [...subscriptions, ...year.subscriptions],
    gallery,
    comments: [...comments, ...makeNewcomersComments(now)],
    conversations: [...conversations, ...makeNewcomersTalks(now)],
    notices,
  }
}
