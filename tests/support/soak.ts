/*
The suites in tests/faults and tests/fuzz run numbered cases. What a case does is determined entirely by the seed and
the case number. `npm test` runs a few cases with a new seed. `npm run test:soak` runs cases for a long time or repeats
the cases with given numbers, and passes its options in environment variables.
*/

interface SoakOptions {
  seed: number
  /** The cases to repeat, or null to run new ones. */
  only: { first: number; last: number } | null
  /** How long to run, or null to run a fixed number of cases. */
  minutes: number | null
}

export function readSoakOptions(): SoakOptions {
  const { SOAK_SEED, SOAK_CASES, SOAK_MINUTES } = process.env
  const [first, last = first] = SOAK_CASES?.split('-').map(Number) ?? []
  return {
    seed: SOAK_SEED ? Number(SOAK_SEED) : Math.floor(Math.random() * 2 ** 31),
    only: first === undefined || last === undefined ? null : { first, last },
    minutes: SOAK_MINUTES ? Number(SOAK_MINUTES) : null,
  }
}

/**
 * Yields the numbers of the cases to run. New cases are numbered from 1.
 *
 * @param shortCount how many new cases to run if `minutes` is null
 */
export function* caseNumbers({ only, minutes }: SoakOptions, shortCount: number): Generator<number> {
  if (only) {
    for (let number = only.first; number <= only.last; number++) yield number
    return
  }
  const deadline = minutes === null ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000
  const count = minutes === null ? shortCount : Number.POSITIVE_INFINITY
  for (let number = 1; number <= count && performance.now() < deadline; number++) yield number
}

/** The command that reproduces a case. */
export const replayCommand = (suite: 'faults' | 'fuzz', seed: number, number: number) =>
  `npm run test:soak -- --suite ${suite} --seed ${seed} --case ${number}`

/** The timeout of a test that runs the cases. */
export const soakTimeoutMs = ({ minutes }: SoakOptions) => (minutes ?? 0) * 60_000 + 300_000
