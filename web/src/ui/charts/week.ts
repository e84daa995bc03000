/** A weekday (0 is Monday) and an hour with its value; what is left out has none. */
export interface HourCell {
  weekday: number
  hour: number
  value: number
}

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const
