/** Numbers that the API, the database and the screens agree on. Lengths are in characters unless said otherwise. */
export const limits = {
  fullName: { min: 2, max: 80 },
  username: { min: 3, max: 30 },
  phoneNumber: { min: 10, max: 32, minDigits: 7 },
  /** bcrypt reads 72 bytes; a longer password would be cut without a word. */
  password: { min: 6, maxBytes: 72 },
  email: { max: 254 },
  bio: { max: 500 },
  /** Where somebody studied, lives, comes from. */
  aboutLine: { max: 100 },
  webAddress: { max: 300 },
  /** An operator may set an age from `adminMin`. */
  age: { min: 18, adminMin: 13, max: 120 },
  postContent: { max: 5000 },
  teaser: { max: 500 },
  altText: { max: 500 },
  commentContent: { max: 500 },
  /** US dollars. An operator may post below `min`, down to `adminMin`. */
  premiumPrice: { min: 1, adminMin: 0.01, max: 999.99, default: 10 },
  tag: { max: 50 },
  /** `compressAbove`: a picture of more bytes is made smaller before it is sent. */
  image: { maxBytes: 10 * 1024 * 1024, maxPixels: 50_000_000, compressAbove: 1024 * 1024 },
  video: { maxBytes: 100 * 1024 * 1024 },
  /** Profile pictures and covers. */
  ownImage: { maxBytes: 5 * 1024 * 1024 },
  /** `files`: chosen at once at most. `undo`: milliseconds in which a deleted item can be brought back. */
  gallery: { maxBytes: 10 * 1024 * 1024, files: 4, title: 100, description: 500, undo: 10 * 60_000 },
  /** US dollars a month, for a creator's subscribers. */
  subscriptionPrice: 9.99,
  /** US dollars a month. */
  creatorProPrice: 19.99,
  /** US dollars that are paid out at least. */
  minimumPayout: 50,
  /** Days that money from a sale is pending, days between payouts, and days that a changed payout method waits. */
  clearingDays: 7,
  payoutDays: 7,
  payoutWaitDays: 5,
  payoutMethods: 5,
  payoutMethodName: { max: 60 },
  /** US dollars. `choices`: what is offered before somebody enters an amount. */
  tip: { min: 1, max: 500, choices: [3, 5, 10, 25] },
  tipNote: { max: 200 },
  /** Posts of a subscription that are counted at most: more are 'N+'. */
  includedPosts: 999,
  product: { name: 100, category: 60, price: { min: 0.01, max: 99_999.99 } },
  /** What creators aim at who have not said it; the largest numbers that can be aimed at. US dollars. */
  goals: {
    monthlyRevenue: 5000,
    yearlyRevenue: 60_000,
    subscribers: 1000,
    max: { monthlyRevenue: 1_000_000, yearlyRevenue: 12_000_000, subscribers: 10_000_000 },
  },
  /** Posts in one report of what was on a screen, milliseconds that one has to be there, and between two reports. */
  views: { posts: 50, after: 1000, every: 10_000 },
  /** Posts in a list of the best, and rows of an exported file at most. */
  topPosts: 10,
  exportRows: 50_000,
  messageContent: { max: 5000 },
  /** Characters of a message that are shown of it in an answer to it. */
  quote: 200,
  /** Milliseconds after sending in which a message can be edited. */
  messageEditWindow: 15 * 60_000,
  searchQuery: { max: 100 },
  /** What somebody is told of a decision about them, what they answer, and what a report may add. */
  moderationReason: { max: 400 },
  appeal: { max: 1000, days: 30 },
  reportNote: { max: 1000 },
  suspensionDays: { max: 365 },
  /** Days in which a draft that a program wrote is offered. */
  autoDraftDays: 3,
  /**
   * Items on a page of a list, when the caller names no number and at most. Ids are short: a page of them is long
   * enough that few people have a second one.
   */
  page: {
    posts: 10,
    comments: 20,
    users: 20,
    conversations: 30,
    messages: 50,
    foundMessages: 20,
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
  },
  /** Milliseconds between two polls of the unread counts. */
  pollInterval: 30_000,
  /** Milliseconds a search box waits after the last key. */
  searchDebounce: 300,
  /** Milliseconds between a toast that signs somebody out or away and the navigation. */
  redirectDelay: 500,
  /** Milliseconds until somebody leaves a screen that is for creators only. */
  creatorsOnlyDelay: 2_000,
  /** People suggested when a conversation is started. */
  conversationSuggestions: 3,
  trendingCreators: 3,
  featuredCreators: 6,
  trendingTags: 10,
  /** New posts that are counted at most: more are 'N+'. */
  newPosts: 99,
  badgeMax: 9,
  /** Milliseconds after which nobody is online who has not asked for the counts again. */
  onlineFor: 75_000,
} as const
