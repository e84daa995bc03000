import { describe, expect, it } from 'vitest'
import { networkPrefix } from '../../supabase/functions/_shared/http/network-prefix.ts'

describe('networkPrefix', () => {
  it('returns IPv4 addresses in dotted form, and the /64 network of IPv6 addresses', () => {
    for (const [address, network] of [
      ['203.0.113.7', '203.0.113.7'],
      ['203.0.113.9:51324', '203.0.113.9'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:203.0.113.7', '203.0.113.7'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['2001:0DB8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::', '2001:db8:1:2::/64'],
      ['2001:db8:1::3:4:5:6', '2001:db8:1:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['unknown', 'unknown'],
    ] as const) {
      expect([address, networkPrefix(address)]).toEqual([address, network])
    }
  })
})
