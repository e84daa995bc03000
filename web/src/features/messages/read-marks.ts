/**
 * How far the page has heard of each conversation, by the other person's id: the newest message and the newest
 * own read mark. The totals that events carry count only if the event is news; a repeated or late one is not.
 */
export type ReadMarks = Readonly<Record<string, { seq: number; readSeq: number }>>

const nothing = { seq: 0, readSeq: 0 }

/** A message was created. */
export function recordMessage(
  marks: ReadMarks,
  otherUserId: string,
  seq: number,
): { marks: ReadMarks; isNews: boolean } {
  const before = marks[otherUserId] ?? nothing
  if (seq <= before.seq || seq <= before.readSeq) return { marks, isNews: false }
  return { marks: { ...marks, [otherUserId]: { ...before, seq } }, isNews: true }
}

/**
 * The person read the thread up to `lastReadSeq`. `isNews` is false for a repetition; `complete` is false when a
 * newer message is known already, so that something is still unread.
 */
export function recordRead(
  marks: ReadMarks,
  otherUserId: string,
  lastReadSeq: number,
): { marks: ReadMarks; isNews: boolean; complete: boolean } {
  const before = marks[otherUserId] ?? nothing
  const complete = before.seq <= lastReadSeq
  if (lastReadSeq <= before.readSeq) return { marks, isNews: false, complete }
  return { marks: { ...marks, [otherUserId]: { ...before, readSeq: lastReadSeq } }, isNews: true, complete }
}
