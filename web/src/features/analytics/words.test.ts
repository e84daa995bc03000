import { describe, expect, it } from 'vitest'
import { dollars } from '@/lib/format'
import { bestHour, inZone, zoneOf } from './hours'
import { pointsOf } from './points'
import { compare, compareRates, count, countedText, rate, share } from './words'

const before = 'the 30 days before'
const said = (value: number, previous: number, format = count) => {
  const { words, rest } = compare(value, previous, before, format)
  return `${words} ${rest}`
}

describe('compare', () => {
  it.each([
    [1120, 1000, '12% more than the 30 days before (1,000)'],
    [1011, 1000, '1.1% more than the 30 days before (1,000)'],
    [500, 1000, '50% less than the 30 days before (1,000)'],
    [0, 1000, '100% less than the 30 days before (1,000)'],
    [100_001, 100_000, 'Barely more than the 30 days before (100,000)'],
    [12_300, 100, '123 times that of the 30 days before (100)'],
    [7, 7, 'The same as the 30 days before (7)'],
    [0, 0, 'The same as the 30 days before'],
    [5, 0, 'Up from none in the 30 days before'],
  ])('%d after %d', (value, previous, text) => expect(said(value, previous)).toBe(text))

  it('names a loss by its amount', () => {
    expect(said(10, -5, dollars)).toBe('$15.00 more than the 30 days before (-$5.00)')
    expect(said(-5, 10, dollars)).toBe('$15.00 less than the 30 days before ($10.00)')
    expect(said(-5, 0, dollars)).toBe('$5.00 less than the 30 days before ($0.00)')
  })

  it('writes a rate with its tenths, and a share as it is', () => {
    expect([rate(1), rate(4.36), share(26)]).toEqual(['1.0%', '4.4%', '26%'])
  })

  it('tells rates apart in points', () => {
    expect(compareRates(6.2, 5.2, before)?.words).toBe('1 point more')
    expect(compareRates(5.2, 6.4, before)?.words).toBe('1.2 points less')
    expect(compareRates(5.2, null, before)?.words).toBe('No views')
    expect(compareRates(null, 5, before)).toBeNull()
  })
})

describe('hours', () => {
  it('move with the reader, over the end of the week too', () => {
    const cells = inZone([{ weekday: 6, hour: 23, views: 4 }], zoneOf(-120))
    expect(cells).toEqual([{ weekday: 0, hour: 1, value: 4 }])
    expect(inZone([{ weekday: 0, hour: 1, views: 4 }], zoneOf(300))).toEqual([
      { weekday: 6, hour: 20, value: 4 },
    ])
    expect(zoneOf(-120).name).toBe('your time, UTC+2')
  })

  it('stay in UTC where the reader is half an hour off', () => {
    expect(zoneOf(-330)).toEqual({ hours: 0, name: 'UTC' })
    expect(zoneOf(0)).toEqual({ hours: 0, name: 'UTC' })
  })

  it('name the best one in a sentence', () => {
    const hours = [
      { weekday: 3, hour: 20, value: 9 },
      { weekday: 1, hour: 8, value: 9 },
      { weekday: 0, hour: 7, value: 3 },
    ]
    expect(bestHour(hours)).toBe('Most views: Tuesdays around 08:00')
    expect(bestHour([])).toBeNull()
  })
})

describe('pointsOf', () => {
  const days = [{ day: '2026-11-20', views: 3 }]
  it('holds a day beside the one before it, unless there was nothing', () => {
    const of = ({ views }: { views: number }) => views
    const previousDays = [{ day: '2026-11-19', views: 2 }]
    expect(pointsOf({ days, previousDays }, '7d', of)).toEqual([{ day: '2026-11-20', value: 3, before: 2 }])
    const nothing = [{ day: '2026-11-19', views: 0 }]
    expect(pointsOf({ days, previousDays: nothing }, '7d', of)).toEqual([{ day: '2026-11-20', value: 3 }])
  })
})

describe('countedText', () => {
  it('names the day where it is not today', () => {
    const now = new Date(2026, 10, 21, 18, 0).getTime()
    expect(countedText(new Date(2026, 10, 21, 14, 5).toISOString(), now)).toBe('Counted up to 14:05')
    expect(countedText(new Date(2026, 10, 20, 14, 5).toISOString(), now)).toMatch(/20.*, 14:05$/)
    expect(countedText(null, now)).toBe('Not counted yet')
  })
})
