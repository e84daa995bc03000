import { alone, sql } from './stack.ts'

const set = (on: boolean) => sql`select private.set_setting('creator_pro_billing', ${sql.json(on)})`

/** Runs `work` while creators pay for being one here. The setting is everybody's: it is put back. */
export const billing = <T>(work: () => Promise<T>): Promise<T> =>
  alone(async () => {
    await set(true)
    try {
      return await work()
    } finally {
      await set(false)
    }
  })
