import { join } from 'node:path'
import { writeFileAtomic } from '../shared/files.ts'
import type { Mail, StoredMail } from './mail.ts'

/** The number of emails that are kept. Older ones are deleted, because the mailbox is not an archive. */
const maxMails = 1000

/** Stores each email in a separate file, so that a crash loses at most the email being written. */
export class MailStore {
  private constructor(
    private readonly folder: string,
    private mails: StoredMail[],
  ) {}

  static async open(folder: string): Promise<MailStore> {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
    const mails: StoredMail[] = []
    for await (const entry of Deno.readDir(folder)) {
      const path = join(folder, entry.name)
      if (entry.name.endsWith('.tmp')) await Deno.remove(path)
      else if (entry.name.endsWith('.json')) mails.push(JSON.parse(await Deno.readTextFile(path)))
    }
    mails.sort((a, b) => (a.sentAt < b.sentAt ? 1 : -1))
    return new MailStore(folder, mails)
  }

  /** Returns the emails, newest first. */
  list(): readonly StoredMail[] {
    return this.mails
  }

  /** Stores an email. Resolves when the email is on disk. */
  async add(mail: Mail): Promise<void> {
    const stored = { id: crypto.randomUUID(), ...mail, sentAt: new Date().toISOString() }
    await writeFileAtomic(join(this.folder, `${stored.id}.json`), JSON.stringify(stored))
    this.mails = [stored, ...this.mails]
    for (const old of this.mails.splice(maxMails)) {
      await Deno.remove(join(this.folder, `${old.id}.json`)).catch(() => undefined)
    }
  }
}
