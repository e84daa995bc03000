/** Returns the length of a string in Unicode code points, as the database counts it. */
export const countCharacters = (text: string): number => [...text].length

/**
 * Limits of the API and the web app. The database schema repeats the limits that the database enforces;
 * tests/rls/limits.test.ts checks that the two agree. Lengths are in characters (`countCharacters`) unless noted
 * otherwise.
 */
export const limits = {
  fullName: { min: 2, max: 80 },
  username: { min: 3, max: 30 },
  phoneNumber: { min: 10, max: 32, minDigits: 7 },
  /** Supabase's Auth stores bcrypt hashes, and bcrypt ignores everything after 72 bytes. */
  password: { min: 6, maxBytes: 72 },
  email: { max: 254 },
  bio: { max: 500 },
  /** The fields "studied at", "lives in" and "from". */
  aboutLine: { max: 100 },
  webAddress: { max: 300 },
  /** Admins may set ages down to `adminMin`. */
  age: { min: 18, adminMin: 13, max: 120 },
  postContent: { max: 5000 },
  teaser: { max: 500 },
  /** How many characters of a post or comment a notification quotes. */
  notificationExcerpt: 140,
  /** How many characters of a quoted post's text are embedded in the quoting post. */
  quotedText: 300,
  altText: { max: 500 },
  commentContent: { max: 500 },
  /**
   * US dollars. Admins may set prices down to `adminMin`. The type of `posts.premium_price` and the formats in
   * `private.unlock_price` and `private.photo_price` have room for three digits before the decimal point.
   */
  premiumPrice: { min: 1, adminMin: 0.01, max: 999.99, default: 10 },
  tag: { max: 50 },
  /** How many tabs a user can pin to the home feed. */
  homeTabs: 5,
  /**
   * The web app compresses an image above `compressAboveBytes` or `compressAbovePixels` before the upload. In an
   * isolate of Supabase's edge runtime, the API's limit is lower than `maxPixels`, but at least `compressAbovePixels`.
   */
  image: {
    maxBytes: 10 * 1024 * 1024,
    maxPixels: 50_000_000,
    compressAboveBytes: 1024 * 1024,
    compressAbovePixels: 4_000_000,
  },
  video: { maxBytes: 100 * 1024 * 1024 },
  /** `levels` is the number of digits in the waveform of a voice message. */
  voice: { maxSeconds: 120, maxBytes: 5 * 1024 * 1024, levels: 40 },
  /** Avatars and cover images. */
  profileImage: { maxBytes: 5 * 1024 * 1024 },
  /** At most `maxFiles` files can be selected at a time. */
  gallery: { maxBytes: 10 * 1024 * 1024, maxFiles: 4, titleMax: 100, descriptionMax: 500 },
  /** US dollars a month for a subscription to a creator. */
  subscriptionPrice: 9.99,
  /** The discounts on subscriptions for several months, in percent. */
  subscriptionDiscounts: [5, 10, 15, 20, 25, 30, 35, 40, 45, 50],
  /** US dollars a month for Creator Pro. */
  creatorProPrice: 19.99,
  /** US dollars. */
  minimumPayout: 50,
  /** Days until earnings from a sale become available. */
  clearingDays: 7,
  /** Days until a new or changed payout method can be used. */
  payoutMethodHoldDays: 5,
  maxPayoutMethods: 5,
  payoutMethodName: { max: 60 },
  maxAccessTokens: 20,
  accessTokenName: { max: 60 },
  /** US dollars. */
  tip: { min: 1, max: 500 },
  tipNote: { max: 200 },
  /** A higher number of included posts is shown as 'N+'. */
  includedPostsCountCap: 999,
  product: { name: 100, category: 60, price: { min: 0.01, max: 99_999.99 } },
  /** Default and maximum goals of creators. Revenue in US dollars. */
  goals: {
    monthlyRevenue: 5000,
    yearlyRevenue: 60_000,
    subscribers: 1000,
    max: { monthlyRevenue: 1_000_000, yearlyRevenue: 12_000_000, subscribers: 10_000_000 },
  },
  /**
   * A post counts as viewed after `visibleMs` on screen. Views are reported every `reportIntervalMs`, up to
   * `maxPosts` per request.
   */
  views: { maxPosts: 50, visibleMs: 1000, reportIntervalMs: 10_000 },
  /** Posts in the list of top posts. */
  topPosts: 10,
  /** Maximum number of rows in an export of transactions or of the audit log. */
  maxExportRows: 50_000,
  messageContent: { max: 5000 },
  userNote: { max: 1000 },
  /** How many messages to all of their subscribers a creator can send in 24 hours. */
  massMessagesPerDay: 3,
  /** How many characters of a message a reply quotes. */
  quoteLength: 200,
  /** How long a sent message can be edited. */
  messageEditWindowMs: 15 * 60_000,
  searchQuery: { max: 100 },
  /** The reason for a decision, which the affected user sees. */
  moderationReason: { max: 400 },
  /** A decision can be appealed within `days` days. */
  appeal: { max: 1000, days: 30 },
  reportNote: { max: 1000 },
  /** Analytics cover at most `maxDays` days (a leap year), starting on `firstDay` at the earliest. */
  analytics: { maxDays: 366, firstDay: '2000-01-01' },
  suspensionDays: { max: 365 },
  /**
   * The default number of items per page of each list, and the maximum that a caller may request. Lists of ids have
   * large pages, because ids are short; most users need only one page.
   */
  page: {
    posts: 10,
    comments: 20,
    users: 20,
    topics: 20,
    conversations: 30,
    messages: 50,
    messageSearchResults: 20,
    messagePhotos: 30,
    notifications: 20,
    gallery: 30,
    subscriptions: 20,
    transactions: 20,
    payouts: 20,
    adminUsers: 20,
    cases: 20,
    reports: 20,
    audit: 50,
    autoRuns: 20,
    autoDrafts: 20,
    ids: 1000,
    max: 50,
    maxOffset: 1000,
    /** Higher than `maxOffset`, because the queries for the admin lists can skip many items at little cost. */
    adminMaxOffset: 100_000,
  },
  /** The photos in the details of a conversation. */
  conversationPhotos: 9,
  /** Users suggested for a new conversation. */
  conversationSuggestions: 3,
  trendingCreators: 3,
  /**
   * Creators in the list of creator updates. Phones show all of them above the home feed; wider screens show fewer
   * beside the feed.
   */
  creatorUpdates: 10,
  /** How many characters of a creator's newest post are shown in that list. */
  creatorUpdateText: 120,
  featuredCreators: 6,
  /** The photos shown with a featured creator. */
  creatorPhotos: 3,
  trendingTags: 10,
  /** Posts that an author can schedule, and how far ahead. */
  scheduledPosts: { max: 100, minMinutesAhead: 5, maxDaysAhead: 365 },
  /** How many consecutive posts by one author the home feed shows before it hides the rest behind a button. */
  postsInARow: 3,
  /** Users suggested for a topic. */
  topicAuthors: 9,
  /** A count of new posts that reaches this number is shown as 'N+'. */
  newPostsCountCap: 99,
  /** A count of a topic's posts that reaches this number is shown as 'N+'. */
  topicPostsCountCap: 20,
  /** A higher number is shown as 'N+' in a badge. */
  badgeCap: 9,
} as const
