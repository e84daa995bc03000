import { type Piece, type Range, sql } from '../db/page.ts'

/** Where a page of what is ordered by a time, the newest first, goes on: behind the row whose place was given out. */
export const behind = ({ after }: Range, time: Piece, id: Piece) =>
  after ? sql`and (${time}, ${id}) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``
