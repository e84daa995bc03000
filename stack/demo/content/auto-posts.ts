/** A run of auto-posting: the text that the model wrote for a creator, and what happened to it. */
export interface AutoPostText {
  author: string
  /** Days before today, and the time of day in UTC. */
  age: number
  at: [hour: number, minute: number]
  kind?: 'test' | 'preview'
  /** `draft …` is a draft with its state, for a creator who approves each post. */
  outcome: 'published' | 'previewed' | 'refused' | 'failed' | `draft ${DraftState}`
  /** The platform's message about a refused or failed run. */
  detail?: string
  /** The model's answer, or null if there was none. */
  text: string | null
}
export type DraftState = 'waiting' | 'published' | 'discarded' | 'expired'

/** The creators with auto-posting. */
export const autoPosters = [
  { user: 'noormakes', frequency: 'low' },
  { user: 'yuki_ink', frequency: 'low' },
  { user: 'mateus_wrench', frequency: 'moderate' },
] as const

/** Oldest first. */
export const autoPostTexts: AutoPostText[] = [
  {
    author: 'noormakes',
    age: 13,
    at: [9, 4],
    kind: 'preview',
    outcome: 'previewed',
    text: 'Some mornings the clay is awake before I am. I centre it, it centres me, and neither of us says a word until the second coffee.',
  },
  {
    author: 'mateus_wrench',
    age: 13,
    at: [10, 22],
    outcome: 'published',
    text: 'A question for the road: when your bike makes a new noise, do you stop and look, or do you turn up the music? Be honest, I hear the answer at the stand anyway. #bikes',
  },
  {
    author: 'noormakes',
    age: 12,
    at: [11, 41],
    outcome: 'draft published',
    text: 'What nobody tells beginners: the first hundred bowls are for your hands, not for your shelf. Keep one of them anyway, with the date underneath. #ceramics',
  },
  {
    author: 'yuki_ink',
    age: 12,
    at: [14, 9],
    outcome: 'published',
    text: 'The window was open while I ground the ink, and the paper curled a little at one corner. I drew around the curl.',
  },
  {
    author: 'yuki_ink',
    age: 11,
    at: [13, 30],
    outcome: 'refused',
    detail: 'It contained a link.',
    text: 'Today’s drawing is a gate in the rain. You can see the whole series at my-ink-gates.example along with the older ones.',
  },
  {
    author: 'noormakes',
    age: 10,
    at: [12, 17],
    outcome: 'draft discarded',
    text: 'My favourite tool is a kitchen knife without a point. It has trimmed more feet than any tool that I paid for.',
  },
  {
    author: 'mateus_wrench',
    age: 10,
    at: [16, 48],
    outcome: 'failed',
    detail: 'The provider did not respond in time.',
    text: null,
  },
  {
    author: 'mateus_wrench',
    age: 9,
    at: [11, 12],
    outcome: 'published',
    text: 'Small habit, big difference: before I close the workshop I put every spanner back in its place and say good night to the bikes. They have never complained about the second part.',
  },
  {
    author: 'yuki_ink',
    age: 8,
    at: [15, 52],
    outcome: 'published',
    text: 'Between two lines there is a place where the brush decides for itself. I am learning not to interrupt. #ink',
  },
  {
    author: 'noormakes',
    age: 8,
    at: [17, 5],
    outcome: 'draft published',
    text: 'Something that I changed my mind about: tall sides. I used to pull them as high as they would go. Now I stop when the pot looks as if it could sit down. #pottery',
  },
  {
    author: 'noormakes',
    age: 7,
    at: [10, 33],
    outcome: 'draft expired',
    text: 'Two cups on the table, one with a heavy foot and one with a light one. Which of them would you reach for in the morning?',
  },
  {
    author: 'yuki_ink',
    age: 6,
    at: [12, 26],
    outcome: 'refused',
    detail: 'It repeated an earlier post.',
    text: 'Cheap paper teaches you to be quick. Good paper teaches you to be afraid. I use cheap paper until the afternoon.',
  },
  {
    author: 'mateus_wrench',
    age: 6,
    at: [19, 14],
    outcome: 'published',
    text: 'The beginning of a week has a sound here: a freewheel, a shutter going up, and somebody saying that it is only a small thing. It is never only a small thing. #bikes',
  },
  {
    author: 'noormakes',
    age: 5,
    at: [11, 58],
    outcome: 'draft published',
    text: 'Thank you to everybody who sends me photographs of their chipped mugs still in use. I look at them when a shelf comes out wrong, and then I wedge the next ball.',
  },
  {
    author: 'yuki_ink',
    age: 5,
    at: [16, 20],
    outcome: 'published',
    text: 'A quiet day. One stone, one shadow, and a little water left in the dish.',
  },
  {
    author: 'noormakes',
    age: 4,
    at: [13, 7],
    outcome: 'draft discarded',
    text: 'Reading about kilns in bed again. My dreams now have a cooling curve, and nobody may open the door.',
  },
  {
    author: 'mateus_wrench',
    age: 4,
    at: [10, 40],
    outcome: 'failed',
    detail: 'The rate limit of the provider was reached (429).',
    text: null,
  },
  {
    author: 'mateus_wrench',
    age: 3,
    at: [15, 36],
    kind: 'test',
    outcome: 'published',
    text: 'Tip from the stand: squeeze both brakes before you ride off, every time, as you would shake a hand. It takes a second and tells you how the day will go.',
  },
  {
    author: 'yuki_ink',
    age: 3,
    at: [17, 45],
    outcome: 'published',
    text: 'I look forward to the first cold morning, when the ink is slower than the hand and every line has time to think. #drawing',
  },
  {
    author: 'mateus_wrench',
    age: 2,
    at: [13, 19],
    outcome: 'refused',
    detail: 'It contained Markdown or JSON formatting.',
    text: '**Friday tip:** oil the chain tonight, and the ride tomorrow is quiet. That is the whole secret of this trade.',
  },
  {
    author: 'noormakes',
    age: 1,
    at: [10, 12],
    outcome: 'draft waiting',
    text: 'The wheel is the only seat in the studio from which I cannot see the clock. I think that I put it there on purpose. #pottery',
  },
  {
    author: 'noormakes',
    age: 1,
    at: [20, 40],
    outcome: 'draft waiting',
    text: 'For those of you who read along: do you wash the good cup by hand, or does it have to live with the others? I have heard both answers from the same household.',
  },
]
