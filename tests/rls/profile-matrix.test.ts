import { OwnUser, UserDetails } from '@contract/user.ts'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transport } from '../realtime/transport.ts'
import { as } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { askApi, askDataApi, askStorage, type Got } from './profile-doors.ts'
import { about, aboutFields, type Reader, readers, type Scene, setScene, switches } from './profile-scene.ts'

const visibilities = ['public', 'followers', 'private'] as const
type Visibility = (typeof visibilities)[number]

/** Who may view a profile: whoever it is open to, its owner and admins, and never within a block. */
const viewers: Record<Visibility, readonly Reader[]> = {
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
} satisfies Record<string, (visibility: Visibility, hidden: boolean) => readonly Reader[]>
type Rule = keyof typeof rules

/** What there is, by which door, and who gets it. */
const table: Record<'API' | 'Storage' | 'Data API', Record<string, Rule>> = {
  API: {
    'name and picture': 'everybody but the blocked',
    bio: 'viewers',
    cover: 'viewers',
    'their posts': 'viewers',
    'one post': 'viewers',
    'their gallery': 'viewers',
    counts: 'viewers, if shown',
    'any of the counts': 'viewers, if shown',
    'who follows them': 'viewers with an account, if shown',
    'whom they follow': 'viewers with an account, if shown',
    ...Object.fromEntries(aboutFields.map((field) => [field, 'viewers, if shown' as const])),
    'that they are online': 'whom they talk with, if shown',
    'email, phone or country': 'nobody',
  },
  Storage: {
    'the picture of a post': 'viewers',
    'the picture in the gallery': 'viewers',
    'a file past the API': 'nobody',
  },
  'Data API': {
    'name and picture': 'everybody but the blocked',
    'bio and cover': 'viewers',
    'their posts': 'viewers',
    'their gallery': 'viewers',
    'their uploads': 'viewers',
    counts: 'viewers, if shown',
    'About, with what is hidden': 'owner and admin',
    'email and phone': 'owner and admin',
    'whom they block': 'owner and admin',
    settings: 'owner',
    'unread counts': 'owner',
    notifications: 'owner',
    'who follows them': 'owner',
    'who asked to': 'owner',
    'whom they subscribe to': 'owner',
    'who subscribes to them': 'owner',
    'what they paid': 'owner',
    'what they earned': 'owner',
  },
}
const expected = (door: keyof typeof table, reader: Reader, visibility: Visibility, hidden: boolean): Got =>
  Object.fromEntries(
    Object.entries(table[door]).map(([what, rule]) => {
      const may: readonly Reader[] = rules[rule](visibility, hidden)
      return [what, may.includes(reader)]
    }),
  )

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})

const everySwitch = [...new Set(Object.values(switches))]
const show = async (shown: boolean) => {
  const switched = Object.fromEntries(everySwitch.map((name) => [name, shown]))
  await as(scene.owner).patch('/api/profile', OwnUser, switched)
  const counts = { showFollowerCount: shown, showOnline: shown }
  await as(scene.owner).patch('/api/settings/privacy', OwnUser, counts)
}

// One after the other on one profile: what its owner changes holds at the next read.
describe.each([
  ['shown', false],
  ['hidden', true],
] as const)('with everything %s', (_name, hidden) => {
  describe.each(visibilities)('a %s profile', (visibility) => {
    beforeAll(async () => {
      await show(!hidden)
      await as(scene.owner).patch('/api/settings/privacy', OwnUser, { profileVisibility: visibility })
      await sql`insert into private.last_seen (user_id, seen_at) values (${scene.owner.id}, now())
                on conflict (user_id) do update set seen_at = excluded.seen_at`
    })

    it.concurrent.each(readers)('is read by %s as the table says', async (reader) => {
      const [api, storage, dataApi] = await Promise.all([
        askApi(scene, reader),
        askStorage(scene, reader),
        askDataApi(scene, reader),
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
    await as(scene.owner).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'public' })
    for (const off of everySwitch) {
      await as(scene.owner).patch('/api/profile', OwnUser, { [off]: false })
      const { body } = await as(scene.people.stranger).get(`/api/users/${scene.owner.id}`, UserDetails)
      expect(
        aboutFields.filter((field) => body[field] !== about[field]),
        off,
      ).toEqual(aboutFields.filter((field) => switches[field] === off))
      await as(scene.owner).patch('/api/profile', OwnUser, { [off]: true })
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
      realtime: { transport },
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
      readers.map(async (reader) => {
        const who = scene.people[reader]
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
      Object.fromEntries(readers.map((reader) => [reader, reader === 'owner'])),
    )
    for (const bio of ['Once', 'Twice']) {
      const before = told.length
      await as(scene.owner).patch('/api/profile', OwnUser, { bio })
      await expect.poll(() => told.length, { interval: 10, timeout: 5000 }).toBeGreaterThan(before)
    }
    // What the second change told has come, so has what the first one would have.
    expect(new Set(told)).toEqual(new Set(['owner']))
  })
})
