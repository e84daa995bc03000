/** A file that the page turns down before it is sent; `title` and the message are for a toast. */
export class FileRejectedError extends Error {
  readonly title: string

  constructor(title: string, message: string) {
    super(message)
    this.name = 'FileRefused'
    this.title = title
  }
}
