import postgres from 'postgres'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import type { Connection } from './connection.ts'
import { createTempDir, discardStack, killStack, type StackProcess, startStack } from './stack-process.ts'

/**
 * A stack for a single test file, whose tests change settings of the whole stack, such as the payment provider, or kill
 * the stack.
 */
export interface IsolatedStack extends StackProcess {
  connection: Connection
  /** Superuser connections to the stack's database. */
  sql: postgres.Sql
  /** Kills every process of the stack, as a power failure would. */
  kill: () => Promise<void>
  /** Starts the killed stack on the same port, with the same data. */
  restart: () => Promise<void>
  /** Stops the stack and deletes its data. */
  discard: () => Promise<void>
}

/** Starts an isolated stack. @param env the environment variables that configure the stack */
export async function startIsolatedStack(env: Record<string, string> = {}): Promise<IsolatedStack> {
  const dataDir = createTempDir()
  const started = startStack(dataDir, await freePort(), env)
  try {
    const connection = await started.ready()
    const sql = postgres(connection.databaseUrl, { max: 4, onnotice: () => undefined })
    const stack: IsolatedStack = {
      ...started,
      connection,
      sql,
      kill: () => killStack(stack),
      restart: async () => {
        Object.assign(stack, startStack(dataDir, stack.port, env))
        await stack.ready()
      },
      discard: async () => {
        await sql.end({ timeout: 1 })
        await discardStack(stack, dataDir)
      },
    }
    return stack
  } catch (error) {
    await discardStack(started, dataDir)
    throw error
  }
}
