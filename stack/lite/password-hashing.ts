import { AsyncLocalStorage } from 'node:async_hooks'
import bcrypt from 'bcryptjs'
import { serviceUnavailable } from '../shared/error-responses.ts'
import type { PasswordJob } from './password-worker.ts'

// Hashes Auth's passwords in workers. See docs/decisions/047-sign-in-data-api-and-image-costs.md.

/** How many passwords are hashed at the same time. */
const workerCount = Math.max(1, Math.min(4, navigator.hardwareConcurrency))
/** How many passwords may wait for a worker. Two workers hash them in about a second. */
const maxWaiting = 64
/** How many passwords from one network may wait, so that no network can fill the queue. */
const maxWaitingPerNetwork = 32
/** How long a password may wait. Less than the timeouts of the API (15 s) and of `exitIfStuck` (30 s). */
const maxWaitMs = 8000

/** A hash of an unknown password, with the parameters of `password-worker.ts`. */
const unknownHash =
  '$argon2id$v=19$m=32768,t=2,p=1$6OYckJaOfSzOZCjvCMoUHw$B7utgAC1uHRXgJ2s5Ub+Er3rLxxSZMnISGXgiih/CBk'

/** A request to Auth, and what this module records about it. */
interface AuthRequest {
  signal: AbortSignal
  network: string
  hasCheckedPassword: boolean
}

const currentRequest = new AsyncLocalStorage<AuthRequest>()

interface WaitingJob {
  job: PasswordJob
  signal: AbortSignal | undefined
  startedAt: number
  resolve: (result: string | boolean) => void
  reject: (error: Error) => void
}

/** The waiting jobs, by network. The network whose turn is next comes first. */
const waiting = new Map<string, WaitingJob[]>()
let waitingCount = 0
const workers = new Set<Worker>()
const idleWorkers: Worker[] = []

/**
 * Replaces lite's functions for hashing passwords with Argon2id in workers. Lite's own functions use bcrypt in
 * JavaScript, and each call blocks the process for about 80 ms.
 */
export function hashPasswordsInWorkers(): void {
  const functions: Record<string, unknown> = bcrypt
  if (typeof functions.hash !== 'function' || typeof functions.compare !== 'function') {
    throw new Error(
      'this version of @supabase/lite hashes passwords in a different way: see password-hashing.ts',
    )
  }
  functions.hash = (password: string) => runJob({ password })
  // Lite does not call this for an account without a password.
  functions.compare = (password: string, hash: string) => {
    const request = currentRequest.getStore()
    if (request) request.hasCheckedPassword = true
    return runJob({ password, hash })
  }
}

/**
 * Calls lite for a request to Auth. Makes every failed sign-in compare a password, even if the account does not exist.
 * Otherwise, while many passwords wait, a faster response would reveal that there is no such account.
 *
 * @param network the client's network; networks take turns using the workers
 */
export async function handleAuthRequest(
  request: Request,
  network: string,
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  const current: AuthRequest = { signal: request.signal, network, hasCheckedPassword: false }
  return await currentRequest.run(current, async () => {
    const response = await handle()
    const isFailedSignIn = response.status === 400 && isPasswordSignIn(request)
    if (!isFailedSignIn || current.hasCheckedPassword) return response
    return await runJob({ password: '-', hash: unknownHash }).then(
      () => response,
      () => serviceUnavailable('Auth is busy. Please try again.'),
    )
  })
}

function isPasswordSignIn({ url }: Request): boolean {
  const { pathname, searchParams } = new URL(url)
  return pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'password'
}

/** Returns an error with PostgreSQL's code for too many connections, for which `hideDatabaseErrors` returns 503. */
const refusal = (reason: string): Error => Object.assign(new Error(reason), { code: '53300' })

function runJob(job: PasswordJob): Promise<string | boolean> {
  const { network = '', signal } = currentRequest.getStore() ?? {}
  const queue = waiting.get(network) ?? []
  if (waitingCount >= maxWaiting || queue.length >= maxWaitingPerNetwork)
    return Promise.reject(refusal('Too many password hashing jobs are queued'))
  return new Promise((resolve, reject) => {
    queue.push({ job, signal, startedAt: performance.now(), resolve, reject })
    waiting.set(network, queue)
    waitingCount++
    if (idleWorkers.length === 0 && workers.size < workerCount) startWorker()
    serveNext()
  })
}

/** Gives the next waiting password to an idle worker. */
function serveNext(): void {
  const [next] = waiting
  const worker = next && idleWorkers.pop()
  if (!worker) return
  const [network, queue] = next
  const waitingJob = queue.shift()
  // Moves the network to the end, because the networks take turns.
  waiting.delete(network)
  if (queue.length > 0) waiting.set(network, queue)
  waitingCount--
  if (waitingJob && isWanted(waitingJob)) {
    runInWorker(worker, waitingJob)
  } else {
    waitingJob?.reject(refusal('The password hashing job timed out, or its client disconnected'))
    idleWorkers.push(worker)
    serveNext()
  }
}

/** Returns whether the client is still connected and the job has not waited too long. */
const isWanted = ({ signal, startedAt }: WaitingJob): boolean =>
  !signal?.aborted && performance.now() - startedAt < maxWaitMs

function runInWorker(worker: Worker, { job, resolve, reject }: WaitingJob): void {
  worker.onmessage = ({ data }: MessageEvent<string | boolean>) => {
    resolve(data)
    idleWorkers.push(worker)
    serveNext()
  }
  worker.onerror = (event) => {
    // An unhandled error in a worker would end the whole process.
    event.preventDefault()
    reject(new Error(`A password could not be hashed: ${event.message}`))
    worker.terminate()
    workers.delete(worker)
    if (waitingCount > 0) startWorker()
    serveNext()
  }
  worker.postMessage(job)
}

function startWorker(): void {
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url), { type: 'module' })
  workers.add(worker)
  idleWorkers.push(worker)
}
