import { describe, expect, it } from 'vitest'
import {
  distanceText,
  fromTimeInputs,
  nextRoundHour,
  scheduleProblem,
  suggestTimes,
  toTimeInputs,
} from './schedule-times'

const at = (text: string) => new Date(text).getTime()

describe('the inputs', () => {
  it('start with the next round hour that is at least an hour away', () => {
    expect(nextRoundHour(at('2026-12-02T15:30'))).toEqual(new Date('2026-12-02T17:00'))
    expect(nextRoundHour(at('2026-12-02T23:00'))).toEqual(new Date('2026-12-03T00:00'))
  })

  it('represent a time in the browser’s time zone', () => {
    const time = new Date(2026, 0, 5, 7, 3)
    expect(toTimeInputs(time)).toEqual({ date: '2026-01-05', time: '07:03' })
    expect(fromTimeInputs(toTimeInputs(time))).toEqual(time)
    expect(fromTimeInputs({ date: '', time: '07:03' })).toBeNull()
    expect(fromTimeInputs({ date: '2026-01-05', time: '' })).toBeNull()
  })

  it('are rejected if the time is missing, too early or too late', () => {
    const now = at('2026-03-01T10:00')
    const problem = (date: string, time: string) => scheduleProblem({ date, time }, now)
    expect(problem('', '10:00')).toMatch(/date and a time/)
    expect(problem('2026-03-01', '10:04')).toMatch(/5 minutes/)
    expect(problem('2026-02-28', '23:00')).toMatch(/5 minutes/)
    expect(problem('2026-03-01', '10:05')).toBeUndefined()
    expect(problem('2027-02-28', '10:00')).toBeUndefined()
    expect(problem('2027-03-02', '10:00')).toMatch(/within the next year/)
  })
})

it.each([
  ['2026-12-02T20:00', 'in 3 hours'],
  ['2026-12-03T02:00', 'in 9 hours'],
  ['2026-12-03T20:00', 'tomorrow'],
  ['2026-12-04T09:00', 'in 2 days'],
  ['2027-03-02T09:00', 'in 3 months'],
])('says how far away %s is', (time, text) => {
  expect(distanceText(new Date(time).toISOString(), at('2026-12-02T17:00'))).toBe(text)
})

describe('the suggestions', () => {
  it.each([
    ['Wednesday', '2026-12-02T15:30', '2026-12-07T09:00'],
    ['Sunday, when tomorrow is a Monday', '2026-12-06T15:30', '2026-12-14T09:00'],
    ['Monday', '2026-12-07T08:00', '2026-12-14T09:00'],
  ])('are three different times on a %s', (_, now, monday) => {
    const times = suggestTimes(at(now))
    expect(times.monday).toEqual(new Date(monday))
    expect(times.tomorrowEvening.getTime() - times.tomorrowMorning.getTime()).toBe(9 * 3_600_000)
    expect(new Set(Object.values(times).map(Number)).size).toBe(3)
  })
})
