import type { ReactionEmoji } from '../../../supabase/functions/_shared/contract/message.ts'

/** What became of one message of `talks.ts`. It is named by how it begins, within the talk of the two. */
export interface Touch {
  between: [first: string, second: string]
  begins: string
  /** How an earlier message of the same talk begins, which this one answers. */
  answers?: string
  reactions?: [username: string, emoji: ReactionEmoji][]
  /** Comes with a picture, after its sender's theme. */
  pictured?: true
  /** Was corrected a little later, or taken back. */
  became?: 'edited' | 'deleted'
}

const noor: Touch['between'] = ['marisolq', 'noormakes']
const kavya: Touch['between'] = ['marisolq', 'kavyalooksup']
const rosalba: Touch['between'] = ['marisolq', 'rosalbabakes']
const walter: Touch['between'] = ['marisolq', 'walter_f']
const linh: Touch['between'] = ['noormakes', 'linheats']
const paloma: Touch['between'] = ['noormakes', 'paloma_x']

export const touches: Touch[] = [
  { between: noor, begins: 'IT ARRIVED', reactions: [['noormakes', '❤️']] },
  {
    between: noor,
    begins: 'I’m drinking soup out of it',
    reactions: [
      ['noormakes', '😂'],
      ['noormakes', '👏'],
    ],
  },
  { between: noor, begins: 'Then it’s crazing a bit', became: 'edited' },
  {
    between: noor,
    begins: 'it’s MINE now',
    answers: 'Then it’s crazing a bit',
    reactions: [['noormakes', '😂']],
  },
  { between: noor, begins: 'booked. I land at noon', reactions: [['noormakes', '🔥']] },
  { between: noor, begins: 'Brave. It could glue itself', answers: 'birch ash.' },
  { between: noor, begins: 'Marisol. Look at it', pictured: true },
  { between: kavya, begins: 'Jupiter! Say hello', reactions: [['marisolq', '😮']] },
  { between: kavya, begins: 'THREE DOTS', reactions: [['kavyalooksup', '👏']] },
  { between: kavya, begins: 'I’d love to see them', answers: 'the security guard is drawing' },
  { between: kavya, begins: 'There’s a nice one for you', pictured: true },
  { between: rosalba, begins: 'I’m ashamed', became: 'deleted' },
  { between: rosalba, begins: 'Now you’re a mother', reactions: [['marisolq', '❤️']] },
  { between: walter, begins: 'I called. They are changing it', reactions: [['marisolq', '👏']] },
  { between: walter, begins: 'Yes ma’am', reactions: [['marisolq', '😂']] },
  {
    between: linh,
    begins: 'They’re here. He knocked',
    reactions: [
      ['noormakes', '❤️'],
      ['linheats', '🔥'],
    ],
  },
  { between: linh, begins: 'That one’s for my uncle', answers: 'All sixteen through the biscuit' },
  { between: paloma, begins: 'It stood still', reactions: [['noormakes', '👏']] },
]
