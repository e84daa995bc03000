/**
 * The test files that `npm test` leaves out, so that it takes about twelve minutes on two cores. They take long, and
 * other tests cover the rules behind most of them. `npm run test:soak` runs them.
 */
export const longTests = {
  browser: [
    'accessibility',
    'account',
    'active-sessions',
    'admin-user-editing',
    'analytics',
    'app-shell',
    'auto-posting',
    'background-tabs',
    'captcha',
    'creator-pro',
    'earnings',
    'feeds',
    'freshness',
    'gallery',
    'international-text',
    'languages',
    'live-stream',
    'message-delivery',
    'message-gestures',
    'moderation',
    'offline',
    'password-reset',
    'payouts',
    'post-alerts',
    'products',
    'profile-images',
    'saved-posts',
    'session-across-tabs',
    'settings',
    'static-host',
    'tips',
    'unsaved-changes',
    'user-directory',
  ].map((name) => `tests/e2e/${name}.spec.ts`),
  stack: [
    'backup',
    'demo',
    'deploy',
    'document-commands',
    'hosted',
    'lifecycle',
    'monitoring',
    'reset',
    'rotate-keys',
    'storage-client',
    'systemd',
    'upgrade',
  ].map((name) => `tests/stack/${name}.test.ts`),
}

/** The variable with which a run leaves them out. */
export const skipLongTests = 'SKIP_LONG_TESTS'
