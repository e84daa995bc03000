import { OwnUser, UserDetails } from '@contract/user.ts'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { webSocketTransport } from '../support/websocket-transport.ts'
import {
  type ProfileAccess,
  readThroughApi,
  readThroughDataApi,
  readThroughStorage,
} from './profile-access.ts'
import {
  aboutFields,
  aboutValues,
  createProfileFixture,
  type ProfileFixture,
  type Viewer,
  viewerKinds,
  visibilitySwitches,
} from './profile-fixture.ts'

const visibilities = ['public', 'followers', 'private'] as const
type Visibility = (typeof visibilities)[number]

/** Who may view a profile: whoever it is open to, its owner and admins, and never within a block. */
const viewers: Record<Visibility, readonly Viewer[]> = {
  public: ['visitor', 'stranger', 'follower', 'owner', 'admin'],
  followers: ['follower', 'owner', 'admin'],
  private: ['owner', 'admin'],
}
const rules = {
  'everybody but the blocked': () => ['visitor', 'stranger', 'follower', 'owner', 'admin'],
  viewers: (visibility) => viewers[visibility],
  'viewers, if shown': (visibility, hidden) => (hidden ? ['owner', 'admin'] : viewers[visibility]),
  'viewers with an account, if shown': (visibility, hidden) =>
    hidden ? ['owner', 'admin'] : viewers[visibility].filter((reader) => reader !== 'visitor'),
  'whom they talk with, if shown': (_visibility, hidden) => (hidden ? [] : ['follower', 'admin']),
  'owner and admin': () => ['owner', 'admin'],
  owner: () => ['owner'],
  nobody: () => [],
} satisfies Record<string, (visibility: Visibility, hidden: boolean) => readonly Viewer[]>
type Rule = keyof typeof rules

/** What there is, by which door, and who gets it. */
const table: Record<'API' | 'Storage' | 'Data API', Record<string, Rule>> = {
  API: {
    'name and avatar': 'everybody but the blocked',
    bio: 'viewers',
    cover: 'viewers',
    posts: 'viewers',
    'single post': 'viewers',
    gallery: 'viewers',
    counts: 'viewers, if shown',
    'any count': 'viewers, if shown',
    followers: 'viewers with an account, if shown',
    following: 'viewers with an account, if shown',
    ...Object.fromEntries(aboutFields.map((field) => [field, 'viewers, if shown' as const])),
    'online status': 'whom they talk with, if shown',
    'email, phone or country': 'nobody',
  },
  Storage: {
    'post image': 'viewers',
    'gallery image': 'viewers',
    'files without the API': 'nobody',
  },
  'Data API': {
    'name and avatar': 'everybody but the blocked',
    'bio and cover': 'viewers',
    posts: 'viewers',
    gallery: 'viewers',
    uploads: 'viewers',
    counts: 'viewers, if shown',
    'About, including hidden fields': 'owner and admin',
    'email and phone': 'owner and admin',
    blocks: 'owner and admin',
    settings: 'owner',
    'unread counts': 'owner',
    notifications: 'owner',
    followers: 'owner',
    'follow requests': 'owner',
    subscriptions: 'owner',
    subscribers: 'owner',
    payments: 'owner',
    'ledger entries': 'owner',
  },
}
const expected = (
  door: keyof typeof table,
  reader: Viewer,
  visibility: Visibility,
  hidden: boolean,
): ProfileAccess =>
  Object.fromEntries(
    Object.entries(table[door]).map(([what, rule]) => {
      const may: readonly Viewer[] = rules[rule](visibility, hidden)
      return [what, may.includes(reader)]
    }),
  )

let scene: ProfileFixture
beforeAll(async () => {
  scene = await createProfileFixture()
})

const everySwitch = [...new Set(Object.values(visibilitySwitches))]
const show = async (shown: boolean) => {
  const switched = Object.fromEntries(everySwitch.map((name) => [name, shown]))
  await apiAs(scene.owner).patch('/api/profile', OwnUser, switched)
  const counts = { showFollowerCount: shown, showOnline: shown }
  await apiAs(scene.owner).patch('/api/settings/privacy', OwnUser, counts)
}

// One after the other on one profile: what its owner changes holds at the next read.
describe.each([
  ['shown', false],
  ['hidden', true],
] as const)('with everything %s', (_name, hidden) => {
  describe.each(visibilities)('a %s profile', (visibility) => {
    beforeAll(async () => {
      await show(!hidden)
      await apiAs(scene.owner).patch('/api/settings/privacy', OwnUser, { profileVisibility: visibility })
      await sql`insert into private.last_seen (user_id, seen_at) values (${scene.owner.id}, now())
                on conflict (user_id) do update set seen_at = excluded.seen_at`
    })

    it.concurrent.each(viewerKinds)('is read by %s as the table says', async (reader) => {
      const [api, storage, dataApi] = await Promise.all([
        readThroughApi(scene, reader),
        readThroughStorage(scene, reader),
        readThroughDataApi(scene, reader),
      ])
      expect({ API: api, Storage: storage, 'Data API': dataApi }).toEqual({
        API: expected('API', reader, visibility, hidden),
        Storage: expected('Storage', reader, visibility, hidden),
        'Data API': expected('Data API', reader, visibility, hidden),
      })
    })
  })
})

describe('each switch', () => {
  it('hides its own fields and no others', async () => {
    await show(true)
    await apiAs(scene.owner).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'public' })
    for (const off of everySwitch) {
      await apiAs(scene.owner).patch('/api/profile', OwnUser, { [off]: false })
      const { body } = await apiAs(scene.usersByViewer.stranger).get(
        `/api/users/${scene.owner.id}`,
        UserDetails,
      )
      expect(
        aboutFields.filter((field) => body[field] !== aboutValues[field]),
        off,
      ).toEqual(aboutFields.filter((field) => visibilitySwitches[field] === off))
      await apiAs(scene.owner).patch('/api/profile', OwnUser, { [off]: true })
    }
  })
})

describe('Realtime', () => {
  const clients: SupabaseClient[] = []
  afterAll(() => Promise.all(clients.map((client) => client.removeAllChannels())))

  const joined = (channel: RealtimeChannel) =>
    new Promise<boolean>((resolve) => {
      channel.subscribe((status) => {
        if (status === 'SUBSCRIBED' || status === 'CHANNEL_ERROR') resolve(status === 'SUBSCRIBED')
      })
    })
  const open = async (token: string | null) => {
    const client = createClient(stack.apiUrl, stack.publishableKey, {
      realtime: { transport: webSocketTransport },
      auth: { persistSession: false },
      ...(token ? { accessToken: async () => token } : {}),
    })
    clients.push(client)
    await client.realtime.setAuth()
    return client
  }

  it('lets nobody but the owner into their topic, and tells nobody else of their changes', async () => {
    const told: string[] = []
    const got = await Promise.all(
      viewerKinds.map(async (reader) => {
        const who = scene.usersByViewer[reader]
        const client = await open(who?.token ?? null)
        const listen = (id: string) =>
          client
            .channel(`user:${id}`, { config: { private: true } })
            .on('broadcast', { event: 'profile.changed' }, () => void told.push(reader))
        if (who && reader !== 'owner') expect(await joined(listen(who.id))).toBe(true)
        return [reader, await joined(listen(scene.owner.id))]
      }),
    )
    expect(Object.fromEntries(got)).toEqual(
      Object.fromEntries(viewerKinds.map((reader) => [reader, reader === 'owner'])),
    )
    for (const bio of ['Once', 'Twice']) {
      const before = told.length
      await apiAs(scene.owner).patch('/api/profile', OwnUser, { bio })
      await expect.poll(() => told.length, { interval: 10, timeout: 5000 }).toBeGreaterThan(before)
    }
    // What the second change told has come, so has what the first one would have.
    expect(new Set(told)).toEqual(new Set(['owner']))
  })
})
