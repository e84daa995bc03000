import { OwnUser, UserDetails } from '@contract/user.ts'
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { type ProfileAccess, readMediaFiles, readThroughApi, readThroughDataApi } from './profile-access.ts'
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

/** The viewers who may see a profile, by visibility. Blocked users are never among them. */
const viewers: Record<Visibility, readonly Viewer[]> = {
  public: ['visitor', 'stranger', 'follower', 'owner', 'admin'],
  followers: ['follower', 'owner', 'admin'],
  private: ['owner', 'admin'],
}
const rules = {
  'everyone not blocked': () => ['visitor', 'stranger', 'follower', 'owner', 'admin'],
  viewers: (visibility) => viewers[visibility],
  'viewers, if shown': (visibility, hidden) => (hidden ? ['owner', 'admin'] : viewers[visibility]),
  'viewers with an account, if shown': (visibility, hidden) =>
    hidden ? ['owner', 'admin'] : viewers[visibility].filter((reader) => reader !== 'visitor'),
  'conversation partners, if shown': (_visibility, hidden) => (hidden ? [] : ['follower', 'admin']),
  'owner and admin': () => ['owner', 'admin'],
  owner: () => ['owner'],
  nobody: () => [],
} satisfies Record<string, (visibility: Visibility, hidden: boolean) => readonly Viewer[]>
type Rule = keyof typeof rules

/** The rule for reading each part of a profile, by access path. */
const accessTable: Record<'API' | 'media files' | 'Data API', Record<string, Rule>> = {
  API: {
    username: 'everyone not blocked',
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
    'online status': 'conversation partners, if shown',
    'email, phone or country': 'nobody',
  },
  'media files': {
    'post image': 'viewers',
    'gallery image': 'viewers',
    'files directly from Storage': 'nobody',
  },
  'Data API': {
    'name and avatar': 'everyone not blocked',
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
  source: keyof typeof accessTable,
  reader: Viewer,
  visibility: Visibility,
  hidden: boolean,
): ProfileAccess =>
  Object.fromEntries(
    Object.entries(accessTable[source]).map(([part, rule]) => {
      const allowed: readonly Viewer[] = rules[rule](visibility, hidden)
      return [part, allowed.includes(reader)]
    }),
  )

let fixture: ProfileFixture
beforeAll(async () => {
  fixture = await createProfileFixture()
})

const allSwitches = [...new Set(Object.values(visibilitySwitches))]
const setAllShown = async (shown: boolean) => {
  const profileChanges = Object.fromEntries(allSwitches.map((name) => [name, shown]))
  await apiAs(fixture.owner).patch('/api/profile', OwnUser, profileChanges)
  const privacyChanges = { showFollowerCount: shown, showOnline: shown }
  await apiAs(fixture.owner).patch('/api/settings/privacy', OwnUser, privacyChanges)
}

// The combinations are tested one after another on the same profile, so each change of settings must apply immediately.
describe.each([
  ['shown', false],
  ['hidden', true],
] as const)('with everything %s', (_name, hidden) => {
  describe.each(visibilities)('a %s profile', (visibility) => {
    beforeAll(async () => {
      await setAllShown(!hidden)
      await apiAs(fixture.owner).patch('/api/settings/privacy', OwnUser, { profileVisibility: visibility })
      await sql`insert into private.last_seen (user_id, seen_at) values (${fixture.owner.id}, now())
                on conflict (user_id) do update set seen_at = excluded.seen_at`
    })

    it.concurrent.each(viewerKinds)('grants %s the expected access', async (reader) => {
      const [api, mediaFiles, dataApi] = await Promise.all([
        readThroughApi(fixture, reader),
        readMediaFiles(fixture, reader),
        readThroughDataApi(fixture, reader),
      ])
      expect({ API: api, 'media files': mediaFiles, 'Data API': dataApi }).toEqual({
        API: expected('API', reader, visibility, hidden),
        'media files': expected('media files', reader, visibility, hidden),
        'Data API': expected('Data API', reader, visibility, hidden),
      })
    })
  })
})

describe('each visibility switch', () => {
  it('hides the corresponding fields and no others', async () => {
    await setAllShown(true)
    await apiAs(fixture.owner).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'public' })
    for (const switchName of allSwitches) {
      await apiAs(fixture.owner).patch('/api/profile', OwnUser, { [switchName]: false })
      const { body } = await apiAs(fixture.usersByViewer.stranger).get(
        `/api/users/${fixture.owner.id}`,
        UserDetails,
      )
      expect(
        aboutFields.filter((field) => body[field] !== aboutValues[field]),
        switchName,
      ).toEqual(aboutFields.filter((field) => visibilitySwitches[field] === switchName))
      await apiAs(fixture.owner).patch('/api/profile', OwnUser, { [switchName]: true })
    }
  })
})

describe('the Realtime topic of a user', () => {
  const clients: SupabaseClient[] = []
  afterAll(() => Promise.all(clients.map((client) => client.removeAllChannels())))

  const canJoin = (channel: RealtimeChannel) =>
    new Promise<boolean>((resolve) => {
      channel.subscribe((status) => {
        if (status === 'SUBSCRIBED' || status === 'CHANNEL_ERROR') resolve(status === 'SUBSCRIBED')
      })
    })
  const createRealtimeClient = async (token: string | null) => {
    const client = createTestClient(stack, token)
    clients.push(client)
    await client.realtime.setAuth()
    return client
  }

  it('can be joined by that user only, and no other user receives their profile changes', async () => {
    const receivers: string[] = []
    const joined = await Promise.all(
      viewerKinds.map(async (reader) => {
        const user = fixture.usersByViewer[reader]
        const client = await createRealtimeClient(user?.token ?? null)
        const listen = (id: string) =>
          client
            .channel(`user:${id}`, { config: { private: true } })
            .on('broadcast', { event: 'profile.changed' }, () => void receivers.push(reader))
        if (user && reader !== 'owner') expect(await canJoin(listen(user.id))).toBe(true)
        return [reader, await canJoin(listen(fixture.owner.id))]
      }),
    )
    expect(Object.fromEntries(joined)).toEqual(
      Object.fromEntries(viewerKinds.map((reader) => [reader, reader === 'owner'])),
    )
    for (const bio of ['Once', 'Twice']) {
      const before = receivers.length
      await apiAs(fixture.owner).patch('/api/profile', OwnUser, { bio })
      await expect.poll(() => receivers.length, { interval: 10, timeout: 5000 }).toBeGreaterThan(before)
    }
    // The broadcast of the second change has arrived, so any broadcasts of the first change have arrived too.
    expect(new Set(receivers)).toEqual(new Set(['owner']))
  })
})
