/** Milliseconds between two changes of the number of viewers. */
export const viewerUpdateIntervalMs = 3_000

/** A simulated number of people who are there when a stream begins: 5 to 24. `random` gives numbers from 0 to below 1. */
export function initialViewerCount(random: () => number = Math.random): number {
  return 5 + Math.floor(random() * 20)
}

/** The number a while later: up to 3 more or fewer, and never below 0. */
export function nextViewerCount(viewers: number, random: () => number = Math.random): number {
  return Math.max(0, viewers + Math.floor(random() * 7) - 3)
}
