import { expiryRefusal, type Identity } from './auth.ts'

/** The longest a timer can be set for is 24.8 days. */
const LONGEST_TIMER_MS = 86_400_000

/** Watches the clock for one channel's token. */
export class Expiry {
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @param expired told the reason, in upstream's words, the moment the token is no longer good */
  constructor(private readonly expired: (message: string) => void) {}

  /** Watches this identity from now on, in place of the one before. */
  watch(identity: Identity): void {
    this.stop()
    if (identity.expiresAt === null) return
    const left = Math.max(0, identity.expiresAt * 1000 - Date.now())
    this.timer = setTimeout(
      () => {
        const over = expiryRefusal(identity)
        if (over) this.expired(over.refusal.message)
        else this.watch(identity)
      },
      Math.min(left, LONGEST_TIMER_MS),
    )
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}
