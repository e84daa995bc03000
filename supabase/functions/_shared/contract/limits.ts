/** Numbers that the API, the database and the screens agree on. Lengths are in characters unless said otherwise. */
export const limits = {
  fullName: { min: 2, max: 80 },
  username: { min: 3, max: 30 },
  phoneNumber: { min: 10, max: 32, minDigits: 7 },
  /** bcrypt reads 72 bytes; a longer password would be cut without a word. */
  password: { min: 6, maxBytes: 72 },
  email: { max: 254 },
  bio: { max: 500 },
  postContent: { max: 5000 },
  messageContent: { max: 5000 },
  searchQuery: { max: 100 },
  /**
   * Items on a page of a list, when the caller names no number and at most. Ids are short: a page of them is long
   * enough that few people have a second one.
   */
  page: { posts: 10, users: 20, conversations: 30, messages: 50, notifications: 20, ids: 1000, max: 50 },
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
  badgeMax: 9,
} as const
