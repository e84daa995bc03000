/** Posts from the last few days. Several users share a hashtag, so that topics trend. */
export const recentPosts: [author: string, hoursAgo: number, text: string][] = [
  ['noormakes', 20, 'The summer sketchbook is full of handles. Only handles. #sundaymaking #ceramics'],
  ['yuki_ink', 31, 'Sunday: one teapot, one brush, forty minutes. #sundaymaking #ink'],
  [
    'astrid_wood',
    33,
    'Sunday project: a box for the planes that have no box. It has no lid yet. #sundaymaking #woodworking',
  ],
  ['chiamaka_sews', 36, 'Cut out two blouses before lunch and one after. #sundaymaking #sewing'],
  [
    'sofie_vdb',
    40,
    'My Sunday loaf stood up straight. I took eleven pictures of it. #sundaymaking #sourdough',
  ],
  ['rosalbabakes', 15, 'Somebody sent me a photograph of a loaf with a bow tie. Correct. #sourdough'],
  ['marisolq', 92, 'Came home from nights to a starter that had left its jar. #sourdough'],
  [
    'kavyalooksup',
    18,
    'Clear until midnight: look south-east for the brightest thing that does not twinkle, and say hello to Jupiter. #astronomy #clearskies',
  ],
  [
    'tala_v',
    22,
    'The queue at the planetarium went round the block and I was first in it. #astronomy #clearskies',
  ],
  ['benji_o', 47, 'Form 2 drew the phases of the moon in biscuits. We ate the evidence. #astronomy'],
  ['joaquin_r', 26, 'Two bars, one rest, and the whole room leaned in. #jazz #livemusic'],
  [
    'delroy_keys',
    12,
    'Tuesday at the Lantern: @malik_j is over from Detroit. Come early, there are only four good chairs. #jazz #livemusic',
  ],
  ['malik_j', 28, 'Landed, slept, found the river. Soundcheck at five. #livemusic'],
  [
    'linheats',
    9,
    'If you want to see what everybody is dancing to at the next stall: https://www.tiktok.com/@tiktok/video/7106594312292453675 #streetfood',
  ],
  ['meilin_c', 55, 'Rain, a tin roof, and assam laksa. I am a rich woman. #streetfood'],
  ['wanjiru_k', 61, 'Eight kilometres, two dogs, one personal worst. Loved it. #running #trail'],
  ['tomaszruns', 24, 'First frost on the ridge. Gloves now, pride later. #running #trail'],
  ['grzegorz', 66, 'Dark at four. Please take a headlamp. Then take the spare one. #trail'],
  [
    'plot17',
    42,
    'Dahlias lifted, labelled and insulted. The last yellow flower came home with me. #allotment #garden',
  ],
  ['kofi_builds', 70, 'The raised beds carry three tonnes each. I did the sums twice. #allotment #garden'],
  ['leilani_k', 81, 'Found a fern older than my research grant. #garden'],
  ['nachofilm', 17, 'Thirty-six frames of fog. Thirty-five are fog. #film'],
  ['emre_y', 52, 'One roll a month, says the budget. Two, says the light. #film'],
  ['mateus_wrench', 29, 'A 1974 frame came in with flowers still in its basket. #bikes'],
  ['hugo_b', 49, 'Cargo bike, two children, one tuba. We arrived. #bikes'],
  [
    'gwen_t',
    58,
    'Bound a notebook for @yuki_ink out of forty failed prints. None of them look failed now. #ink #drawing',
  ],
]

/**
 * Posts from the last few hours that quote another post. `quoted` identifies the quoted post by its author, kind and
 * age, as in `makePosts`.
 */
export const quotes: [author: string, hoursAgo: number, quoted: string, text: string][] = [
  ['malik_j', 0.6, 'delroy_keys week 12', 'Tuesday. I will be the one in the bad chair.'],
  [
    'yuki_ink',
    2.6,
    'gwen_t week 58',
    'It has been on my table for a day, and I still have not dared to draw on the first page.',
  ],
  [
    'rosalbabakes',
    4.5,
    'noormakes paid 37',
    'For everyone who asks where our flour jar came from: this is how she made it.',
  ],
]

/** Reposts from the last few hours. `post` has the same form as `quoted` above. */
export const reposts: [user: string, hoursAgo: number, post: string][] = [
  ['noormakes', 0.4, 'yuki_ink week 31'],
  ['walter_f', 1.1, 'yuki_ink week 31'],
  ['gwen_t', 1.8, 'noormakes week 20'],
  ['noormakes', 7, 'gwen_t week 58'],
  ['yuki_ink', 8, 'gwen_t week 58'],
  ['malik_j', 10, 'delroy_keys week 12'],
]
