/** Intervals and delays of the web app. */
export const intervals = {
  /**
   * Polling of unread counts, and of other data that is refreshed while a page is open. Other intervals apply to an
   * open conversation (`threadPollMs`) and to the list of conversations while Realtime is connected (`presencePollMs`).
   * `private.visible_presences` counts a user as online for 75 seconds after their last poll of the unread counts, so
   * this interval must be shorter.
   */
  pollMs: 30_000,
  /** Data older than this is refetched when its screen is shown again. */
  pageFreshMs: 60_000,
  /** How long a search box or a date field waits after the last keystroke. */
  searchDebounceMs: 300,
  /** Time between a toast about signing in and the opening of the login page. */
  redirectDelayMs: 500,
  /** Time until a user who is not a creator is redirected from a creators-only page. */
  creatorsOnlyRedirectDelayMs: 2_000,
} as const
