/**
 * Why the provider was of no use. The words are our own: what a provider answers may repeat what it was sent.
 */
export class ProviderProblem extends Error {
  /** Nobody else will fare better now. */
  readonly forEverybody: boolean
  /** The key is not taken. */
  readonly keyRefused: boolean

  constructor(message: string, { forEverybody = false, keyRefused = false } = {}) {
    super(message)
    this.name = 'ProviderProblem'
    this.forEverybody = forEverybody
    this.keyRefused = keyRefused
  }
}

/** A call that failed, and may go well when it is made again. */
export type Passing = {
  message: string
  /** Milliseconds that the provider asked to wait; null where it named none. */
  wait: number | null
  /** The provider may have worked, and charge for it: the answer was lost on its way. */
  mayCost: boolean
}
