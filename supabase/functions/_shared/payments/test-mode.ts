import { env } from '../env.ts'

/**
 * Whether payments succeed without moving money. If so, balances and payouts show test money; otherwise, real money.
 */
export const isTestMode = env.payments === 'test'
