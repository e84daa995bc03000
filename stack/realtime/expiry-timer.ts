import { checkExpiry, type Identity } from '../shared/authenticator.ts'

/** The longest timer. Longer waits are split, because `setTimeout` is limited to 24.8 days. */
const MAX_TIMER_MS = 86_400_000

/** Calls a function when a channel's token expires. */
export class ExpiryTimer {
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @param onExpired called with the message that Supabase sends */
  constructor(private readonly onExpired: (message: string) => void) {}

  /** Calls `onExpired` when `identity` expires. Stops watching any earlier identity. */
  watch(identity: Identity): void {
    this.stop()
    if (identity.expiresAt === null) return
    const remainingMs = Math.max(0, identity.expiresAt * 1000 - Date.now())
    this.timer = setTimeout(
      () => {
        const result = checkExpiry(identity)
        if (result) this.onExpired(result.rejection.message)
        else this.watch(identity)
      },
      Math.min(remainingMs, MAX_TIMER_MS),
    )
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}
