import { describeDevice, safeDeviceName } from '@contract/device.ts'
import { expect, test } from 'vitest'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('names the browser and the operating system', () => {
  expect(describeDevice(chrome)).toEqual({ name: 'Chrome on Windows', handheld: false })
  expect(describeDevice(iphone)).toEqual({ name: 'Safari on iOS', handheld: true })
})

test('shows the name of other clients, and a missing user agent as an unknown device', () => {
  expect(describeDevice('curl/8.5.0').name).toMatch(/^curl/i)
  expect(describeDevice('/x').name).toBe('Unknown device')
  expect(describeDevice('')).toEqual({ name: 'Unknown device', handheld: false })
  expect(describeDevice(null)).toEqual({ name: 'Unknown device', handheld: false })
})

test('excludes text that the client chose from the safe device name', () => {
  expect(safeDeviceName(chrome)).toBe('Chrome on Windows')
  expect(safeDeviceName('Call 555 0100/1 (Windows NT 10.0)')).toBe('Windows')
  for (const name of ['Call 555 0100/1 x (', 'curl/8.5.0', '/x', '', null]) {
    expect(safeDeviceName(name)).toBe('an unknown device')
  }
})
