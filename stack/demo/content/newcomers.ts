/**
 * Users whose posts, comments and messages give moderators something to decide, and some who registered this week.
 * None of them is listed in the directory or in Discover, so nobody comes across their posts by chance.
 */
export interface Newcomer {
  username: string
  name: string
  /** Days since registration. */
  joined: number
  bio?: string
}

export const newcomers: Newcomer[] = [
  {
    username: 'grumble_gil',
    name: 'Gil Sandström',
    joined: 212,
    bio: 'I say what others only think. Usually before breakfast.',
  },
  {
    username: 'deals_by_dana',
    name: 'Dana Pryce',
    joined: 148,
    bio: 'Bargain hunter. I post what I find.',
  },
  { username: 'loud_lorenz', name: 'Lorenz Petri', joined: 83, bio: 'Opinions, mostly on your work.' },
  {
    username: 'resale_ruben',
    name: 'Ruben Halloran',
    joined: 46,
    bio: 'Tickets, watches, phones. Ask me for a price.',
  },
  {
    username: 'quick_reach',
    name: 'Ricky Vance',
    joined: 11.4,
    bio: 'Reach is a numbers game, and I have the numbers.',
  },
  {
    username: 'rosalba_outlet',
    name: 'Rosalba Conti Outlet',
    joined: 6.2,
    bio: 'The official second page of Rosalba Conti. Surprise boxes at half price, vouchers only. Write here, not to the other page.',
  },
  { username: 'ottilie_g', name: 'Ottilie Grahn', joined: 1.7 },
  { username: 'bram_teaches', name: 'Bram Okafor', joined: 0.9 },
  { username: 'nuria_s', name: 'Núria Soler', joined: 0.4 },
]

/** `name` identifies a post in moderation-cases.ts. `age` and `edited` are in days before now. */
export const newcomerPosts: { name: string; author: string; age: number; text: string; edited?: number }[] = [
  {
    name: 'followers',
    author: 'quick_reach',
    age: 2.6,
    text: 'Just sharing what worked for me, friends. Happy to explain it to anyone who writes.',
    edited: 0.3,
  },
  {
    name: 'voucher',
    author: 'deals_by_dana',
    age: 9.6,
    text: 'Last call!!! Voucher worth 200 for the first thirty people, no questions asked. Comment YES and send me your address. Last call!!!',
  },
  {
    name: 'apprentice',
    author: 'loud_lorenz',
    age: 12.8,
    text: 'Looked through the furniture people here. My nephew is nine and his birdhouse is straighter. Some of you should take up knitting.',
  },
  {
    name: 'potters',
    author: 'loud_lorenz',
    age: 1.4,
    text: 'Unpopular opinion: whoever pays forty euros for a bowl has more money than taste, and whoever sells it knows that. You know who you are.',
  },
]

/** `post` is the name from which `idOf` derives the post's id. */
export const newcomerComments: {
  name: string
  author: string
  post: string
  age: number
  text: string
}[] = [
  {
    name: 'wonky',
    author: 'grumble_gil',
    post: 'noormakes 4',
    age: 131.8,
    text: 'So you charge people for things that are not even round. Bold.',
  },
  {
    name: 'deaf',
    author: 'grumble_gil',
    post: 'delroy_keys 5',
    age: 88.7,
    text: 'My fridge keeps better time than you do. Sell the piano and give us all some peace, you old fool.',
  },
  {
    name: 'stove',
    author: 'grumble_gil',
    post: 'astrid_wood 5',
    age: 38.6,
    text: 'Nice firewood. Whoever taught you this should give the money back. Same goes for everyone clapping below.',
  },
  {
    name: 'fan-club',
    author: 'grumble_gil',
    post: 'plot17 6',
    age: 5.5,
    text: 'Same five people clapping for the same vegetables every week. Get a life, the lot of you.',
  },
  {
    name: 'watches',
    author: 'resale_ruben',
    post: 'noormakes 9',
    age: 23.4,
    text: 'Famous watches, one tenth of the price, nobody can tell them apart! Only today! Write to me! Only today!',
  },
  {
    name: 'pho',
    author: 'minh_d',
    post: 'linheats 8',
    age: 16.4,
    text: 'My mother’s broth, the whole recipe, is on my page. Really, go and look. I put it under the last three posts too because nobody answered.',
  },
  {
    name: 'amateur',
    author: 'loud_lorenz',
    post: 'noormakes week 20',
    age: 0.6,
    text: 'Handles, handles, handles. You have had one idea in twelve years and it is a loop.',
  },
  {
    name: 'boost',
    author: 'quick_reach',
    post: 'linheats 12',
    age: 1.9,
    text: 'Great content!! I can bring 10 000 hungry followers to this page by Sunday. Price list by message!!',
  },
]

/** One-sided conversations, with one message per line. `age` is in days. */
export const newcomerConversations: { from: string; to: string; age: number; lines: string[] }[] = [
  {
    from: 'resale_ruben',
    to: 'tala_v',
    age: 19.3,
    lines: [
      'Hello! You like the planetarium, yes? I have tickets.',
      'Front row for the eclipse evening, normally sold out. Send a voucher code first and I will post them. Do not tell the museum, they get jealous.',
    ],
  },
  {
    from: 'resale_ruben',
    to: 'walter_f',
    age: 0.8,
    lines: [
      'Dear Walter, your granddaughter wrote that your phone is old.',
      'I can send you a new one for almost nothing. You only have to tell me the code that arrives on the old one.',
    ],
  },
]
