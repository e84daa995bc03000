type Task = () => void | Promise<void>

/**
 * Runs tasks one after another, and at once as long as none of them has to wait: the common message
 * never costs a promise, and one that waits for the database holds back only its own channel.
 */
export class Mailbox {
  private readonly queue: Task[] = []
  private busy = false

  /** @param failed told of what a task throws; the tasks behind it run nevertheless */
  constructor(
    private readonly capacity: number,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Runs `task` in its turn; false when too many wait already and it was dropped. */
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
          void pending.catch(this.failed).finally(() => {
            this.busy = false
            this.drain()
          })
          return
        }
      } catch (error) {
        this.failed(error)
      }
    }
  }
}
