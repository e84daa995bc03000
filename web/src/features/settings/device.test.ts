import { describeDevice, safeDeviceName } from '@contract/device.ts'
import { expect, test } from 'vitest'
import { deviceText } from '@/lib/text'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

test('names the browser and the operating system', () => {
  expect(describeDevice(chrome)).toEqual({ browser: 'Chrome', system: 'Windows', handheld: false })
  expect(describeDevice(iphone)).toEqual({ browser: 'Safari', system: 'iOS', handheld: true })
})

test('names other clients, and returns no names for an unknown or missing user agent', () => {
  expect(describeDevice('curl/8.5.0').browser).toMatch(/^curl/i)
  for (const userAgent of ['/x', '', null]) {
    expect(describeDevice(userAgent)).toEqual({ browser: undefined, system: undefined, handheld: false })
  }
})

test('builds the device name from the names that are known', () => {
  expect(deviceText(describeDevice(chrome))).toBe('Chrome on Windows')
  expect(deviceText({ browser: 'Chrome' })).toBe('Chrome')
  expect(deviceText({ system: 'Windows' })).toBe('Windows')
  expect(deviceText({})).toBeUndefined()
})

test('builds the safe device name only from known browser and system names', () => {
  expect(safeDeviceName(chrome)).toBe('Chrome on Windows')
  expect(safeDeviceName('Call 555 0100/1 (Windows NT 10.0)')).toBe('Windows')
  for (const name of ['Call 555 0100/1 x (', 'curl/8.5.0', '/x', '', null]) {
    expect(safeDeviceName(name)).toBe('an unknown device')
  }
})
