import { keyOf, type Piece, rangeOf, sql } from '../db/page.ts'

/** Where a part of an archive is read from, a page at a time, by a key that the database can walk along. */
export type Source = {
  /** One item, as JSON. */
  item: Piece
  /** The tables, and behind `where` what of them is the person's. */
  from: Piece
  /** Where an item stands, as text, and the columns of that. */
  key: Piece
  order: Piece
  /** What stands behind such a key. */
  after: (key: string) => Piece
  /** Why the person's own rights do not reach all of it; without it they do. */
  past?: string
}

type Timed = { item: Piece; from: Piece; at: Piece; id: Piece; past?: string }

/** What came at some time, the oldest first. `id` tells apart what came at once. */
export function byTime({ at, id, ...source }: Timed): Source {
  return {
    ...source,
    key: keyOf(at, id),
    order: sql`${at}, ${id}`,
    after: (key) => {
      const { after } = rangeOf({ cursor: key }, 1)
      return sql`(${at}, ${id}) > (${after?.at ?? ''}::text::timestamptz, ${after?.id ?? ''}::text::uuid)`
    },
  }
}

/** What counts upwards. */
export function byNumber({
  number,
  ...source
}: {
  item: Piece
  from: Piece
  number: Piece
  past?: string
}): Source {
  return {
    ...source,
    key: sql`${number}::text`,
    order: number,
    after: (key) => sql`${number} > ${key}::text::bigint`,
  }
}

/** What there is one of for each day. */
export function byDay({ day, ...source }: { item: Piece; from: Piece; day: Piece }): Source {
  return {
    ...source,
    key: sql`${day}::text`,
    order: day,
    after: (key) => sql`${day} > ${key}::text::date`,
  }
}

/** What there is one of for each person. */
export function byPerson({ person, ...source }: { item: Piece; from: Piece; person: Piece }): Source {
  return {
    ...source,
    key: sql`${person}::text`,
    order: person,
    after: (key) => sql`${person} > ${key}::text::uuid`,
  }
}
