type Task = () => void | Promise<void>

/**
 * Runs tasks one after another. Tasks run synchronously until one returns a promise, so most messages need no promise.
 * Each channel has its own queue, so a message that waits for the database delays only its own channel.
 */
export class TaskQueue {
  private readonly queue: Task[] = []
  private busy = false

  /** @param onError called with the error of a failed task; later tasks still run */
  constructor(
    private readonly capacity: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Enqueues a task. Returns false, and drops the task, if the queue is full. */
  push(task: Task): boolean {
    if (this.busy && this.queue.length >= this.capacity) return false
    this.queue.push(task)
    if (!this.busy) this.drain()
    return true
  }

  private drain(): void {
    for (let task = this.queue.shift(); task; task = this.queue.shift()) {
      try {
        const pending = task()
        if (pending instanceof Promise) {
          this.busy = true
          void pending.catch(this.onError).finally(() => {
            this.busy = false
            this.drain()
          })
          return
        }
      } catch (error) {
        this.onError(error)
      }
    }
  }
}
