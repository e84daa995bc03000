import { describe, expect, it } from 'vitest'
import { isFilterDay } from './DayField'

describe('isFilterDay', () => {
  it('accepts dates from 2000 or later, and rejects the dates that result from a partly typed year', () => {
    expect(['2000-01-01', '2026-02-28'].filter(isFilterDay)).toHaveLength(2)
    const others = ['', '2026', '0002-01-01', '0202-01-01', '1999-12-31', '2026-02-30', '20266-01-01']
    expect(others.filter(isFilterDay)).toEqual([])
  })
})
