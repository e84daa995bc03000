import { env } from '../env.ts'

/**
 * Whether payments succeed without moving money. Balances and payouts then show test money, and otherwise real money.
 */
export const isTestMode = env.payments === 'test'
