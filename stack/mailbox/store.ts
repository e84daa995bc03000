import { join } from 'node:path'
import { writeDurably } from '../shared/durable.ts'
import type { Mail } from './mail.ts'

export interface StoredMail extends Mail {
  id: string
  /** ISO 8601, UTC. */
  sentAt: string
}

/** Older ones make room: the mailbox is for looking at what was sent, not an archive. */
const mostMails = 1000

/** Mails as files, one each, so that a crash never costs more than the mail being written. */
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

  /** Newest first. */
  list(): readonly StoredMail[] {
    return this.mails
  }

  /** Resolves when the mail is on the disk. */
  async add(mail: Mail): Promise<StoredMail> {
    const stored = { id: crypto.randomUUID(), ...mail, sentAt: new Date().toISOString() }
    await writeDurably(join(this.folder, `${stored.id}.json`), JSON.stringify(stored))
    this.mails = [stored, ...this.mails]
    for (const old of this.mails.splice(mostMails)) {
      await Deno.remove(join(this.folder, `${old.id}.json`)).catch(() => undefined)
    }
    return stored
  }
}
