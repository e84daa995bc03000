import type { ReportReason } from '../../../supabase/functions/_shared/contract/moderation.ts'

interface DecisionText {
  as: 'dismiss' | 'warn' | 'hide' | 'remove' | 'suspend'
  /** Hours after the last report. */
  after: number
  /** The reason given to the user. A dismissal needs none. */
  why?: string
  /** The length of a suspension. Without a length, the suspension lasts until an admin lifts it. */
  days?: number
  /** The suspension also hides the reported content. */
  hides?: true
  /** `after` is the number of hours from the decision to the appeal, and from the appeal to the answer. */
  appeal?: { after: number; text: string; answer?: { granted: boolean; after: number; text: string } }
}

export interface CaseText {
  kind: 'post' | 'comment' | 'message' | 'user'
  /** The name from which `idOf` derives the id of the reported content, or a username. */
  about: string
  user: string
  /** Days since the first report. */
  age: number
  /** Hours from the first to the last report. */
  span?: number
  reports: [reporter: string, reason: ReportReason, note?: string][]
  /** The text before the user changed it: the content of a post or the bio of a profile. */
  before?: string
  /** The content was also reported after the change. */
  reportedSince?: true
  /** The content no longer exists. `content` is its last known text, if any. */
  gone?: { content: string | null }
  decided?: DecisionText
}

/** Cases without a decision. */
export const openCases: CaseText[] = [
  {
    kind: 'post',
    about: 'followers',
    user: 'quick_reach',
    age: 2.4,
    span: 40,
    before:
      'Tired of being overlooked? I take any page to ten thousand followers in one weekend. First fifty people only, pay by voucher, write to me now!!',
    reports: [
      ['sofie_vdb', 'spam', 'The third account with this same text this month.'],
      ['wanjiru_k', 'spam'],
      ['arjun_p', 'spam', 'Sells followers. The accounts that he shows as proof are all empty.'],
      ['hugo_b', 'other', 'He writes to everybody who likes something of Noor’s.'],
      ['elif_d', 'spam'],
    ],
  },
  {
    kind: 'user',
    about: 'rosalba_outlet',
    user: 'rosalba_outlet',
    age: 3.3,
    span: 50,
    before: 'Bread lover. More soon.',
    reportedSince: true,
    reports: [
      ['gwen_t', 'impersonation', 'Took Rosalba’s name yesterday. She has only one page.'],
      ['rosalbabakes', 'impersonation', 'This is not me. Two customers have asked me where their box is.'],
      ['sofie_vdb', 'spam', 'Asked me for a voucher code.'],
      ['joaquin_r', 'impersonation'],
    ],
  },
  {
    kind: 'comment',
    about: 'boost',
    user: 'quick_reach',
    age: 1.8,
    span: 20,
    reports: [
      ['linheats', 'spam', 'Under four of my posts.'],
      ['meilin_c', 'spam'],
      ['minh_d', 'spam'],
    ],
  },
  {
    kind: 'post',
    about: 'potters',
    user: 'loud_lorenz',
    age: 1.2,
    span: 9,
    reports: [
      ['yara_s', 'harassment', 'He means Noor, and says so under her posts.'],
      ['paloma_x', 'harassment'],
    ],
  },
  {
    kind: 'message',
    about: 'resale_ruben walter_f 1',
    user: 'resale_ruben',
    age: 0.7,
    reports: [['walter_f', 'spam', 'I nearly did it. My granddaughter said no in capital letters.']],
  },
  {
    kind: 'comment',
    about: 'amateur',
    user: 'loud_lorenz',
    age: 0.5,
    span: 5,
    reports: [
      ['noormakes', 'harassment', 'I can live with critics. This is the fifth one this week.'],
      ['gwen_t', 'harassment'],
    ],
  },
  {
    kind: 'post',
    about: 'kavyalooksup paid 28',
    user: 'kavyalooksup',
    age: 4.6,
    reports: [
      ['marisolq', 'other', 'I paid for it and like it, but it seems to end too early. Is a part missing?'],
    ],
  },
  {
    kind: 'post',
    about: 'nachofilm week 17',
    user: 'nachofilm',
    age: 0.35,
    reports: [['emre_y', 'other', 'One of these frames looks much like mine from May. Can you compare?']],
  },
]

const reasons = {
  rude: 'It attacks people instead of commenting on their work.',
  advert: 'Advertisements that ask for money or vouchers are not allowed.',
}

/** Cases with a decision, oldest first. */
export const decidedCases: CaseText[] = [
  {
    kind: 'post',
    about: 'plot17 2',
    user: 'plot17',
    age: 154,
    reports: [['tess_w', 'violence', 'Forty-one slugs.']],
    decided: { as: 'dismiss', after: 7 },
  },
  {
    kind: 'comment',
    about: 'wonky',
    user: 'grumble_gil',
    age: 131.5,
    span: 6,
    reports: [
      ['yara_s', 'harassment'],
      ['gwen_t', 'harassment', 'Not needed, is it?'],
    ],
    decided: {
      as: 'warn',
      after: 14,
      why: 'Say what you do not like about something without mocking the person who made it.',
    },
  },
  {
    kind: 'user',
    about: 'gone cheap_pages',
    user: 'gone cheap_pages',
    age: 118,
    span: 30,
    gone: { content: null },
    reports: [
      ['arjun_p', 'spam'],
      ['malik_j', 'spam', 'Eleven messages in one hour.'],
      ['deepa_s', 'spam'],
      ['wanjiru_k', 'impersonation', 'That is a photograph of a newsreader here.'],
    ],
    decided: {
      as: 'remove',
      after: 2,
      why: 'This account was created to advertise under somebody else’s name.',
    },
  },
  {
    kind: 'post',
    about: 'astrid_wood 1',
    user: 'astrid_wood',
    age: 101,
    reports: [['lars_e', 'self_harm', 'Chisels like that are dangerous. But perhaps I worry too much.']],
    decided: { as: 'dismiss', after: 20, why: 'Advice on keeping tools sharp is fine.' },
  },
  {
    kind: 'comment',
    about: 'deaf',
    user: 'grumble_gil',
    age: 88.4,
    span: 12,
    reports: [
      ['malik_j', 'harassment', 'Delroy is the kindest man on here.'],
      ['joaquin_r', 'harassment'],
      ['delroy_keys', 'other', 'I have heard worse in Wolverhampton. Still.'],
    ],
    decided: { as: 'hide', after: 9, why: reasons.rude },
  },
  {
    kind: 'post',
    about: 'noormakes product Forty Glazes, a workbook',
    user: 'noormakes',
    age: 60.8,
    span: 10,
    reports: [
      ['deals_by_dana', 'spam', 'Advertising.'],
      ['grumble_gil', 'spam'],
    ],
    decided: {
      as: 'hide',
      after: 8,
      why: 'It looks like an advertisement for an external shop.',
      appeal: {
        after: 11,
        text: 'It is my own book, in my own shop, and I used Ovation’s product form for it. Could somebody look again?',
        answer: {
          granted: true,
          after: 16,
          text: 'You are right: you may show your own products. Your post is back, and we are sorry.',
        },
      },
    },
  },
  {
    kind: 'post',
    about: 'gone sneakers',
    user: 'deals_by_dana',
    age: 52.6,
    span: 8,
    gone: {
      content: 'Sneakers!!! Boxes of sneakers, no tax, no receipts. Write to me before they are gone!!!',
    },
    reports: [
      ['benji_o', 'spam'],
      ['shira_g', 'illegal', '“No receipts”?'],
    ],
    decided: { as: 'remove', after: 5, why: reasons.advert },
  },
  {
    kind: 'post',
    about: 'delroy_keys 9',
    user: 'delroy_keys',
    age: 44.2,
    reports: [['marisolq', 'other', 'Is this tune his? I know it from an old record. Only asking.']],
    decided: { as: 'dismiss', after: 26, why: 'He says whose tune it is.' },
  },
  {
    kind: 'comment',
    about: 'stove',
    user: 'grumble_gil',
    age: 38.4,
    span: 7,
    reports: [
      ['lars_e', 'harassment'],
      ['oisin', 'harassment', 'He does this under every joint she posts.'],
    ],
    decided: {
      as: 'suspend',
      after: 6,
      days: 7,
      hides: true,
      why: reasons.rude,
      appeal: {
        after: 9,
        text: 'It was a joke. People are too sensitive.',
        answer: {
          granted: false,
          after: 14,
          text: 'Two earlier decisions were about the same behavior. The suspension stays.',
        },
      },
    },
  },
  {
    kind: 'user',
    about: 'deals_by_dana',
    user: 'deals_by_dana',
    age: 30.7,
    reports: [['hana_k', 'spam', 'The whole page is vouchers.']],
    decided: { as: 'warn', after: 15, why: 'Please use your page for more than advertisements.' },
  },
  {
    kind: 'comment',
    about: 'watches',
    user: 'resale_ruben',
    age: 23.3,
    span: 3,
    reports: [
      ['marisolq', 'spam', 'Copies of watches, under a post about clay.'],
      ['noormakes', 'spam'],
      ['yara_s', 'spam'],
    ],
    decided: { as: 'remove', after: 4, why: reasons.advert },
  },
  {
    kind: 'message',
    about: 'resale_ruben tala_v 1',
    user: 'resale_ruben',
    age: 19.2,
    reports: [['tala_v', 'spam', 'The museum says that there are no such tickets.']],
    decided: { as: 'hide', after: 5, why: 'It asks for money for something that does not exist.' },
  },
  {
    kind: 'comment',
    about: 'pho',
    user: 'minh_d',
    age: 16.3,
    reports: [['meilin_c', 'spam', 'The same comment under several posts.']],
    decided: {
      as: 'hide',
      after: 10,
      why: 'The same comment was posted under several posts.',
      appeal: {
        after: 330,
        text: 'It is my mother’s recipe and nobody pays me for it. I posted it more than once because I was proud. I will post it once.',
      },
    },
  },
  {
    kind: 'post',
    about: 'apprentice',
    user: 'loud_lorenz',
    age: 12.6,
    span: 5,
    reports: [
      ['astrid_wood', 'harassment', 'I can take it. The apprentices here should not have to.'],
      ['oisin', 'harassment'],
    ],
    decided: { as: 'warn', after: 8, why: reasons.rude },
  },
  {
    kind: 'post',
    about: 'voucher',
    user: 'deals_by_dana',
    age: 9.5,
    span: 9,
    reports: [
      ['carmen_o', 'spam'],
      ['bridget_n', 'spam', 'She asks people for their addresses.'],
      ['walter_f', 'spam', 'I said YES. Now I think that was wrong.'],
    ],
    decided: {
      as: 'suspend',
      after: 3,
      hides: true,
      why: 'We have already removed a post and sent a warning. This is the third time.',
      appeal: {
        after: 186,
        text: 'I understand now what counts as an advertisement. I have deleted the list of vouchers and only want to keep in touch with people here.',
      },
    },
  },
  {
    kind: 'comment',
    about: 'fan-club',
    user: 'grumble_gil',
    age: 5.4,
    span: 4,
    reports: [
      ['ailsa_m', 'harassment'],
      ['kofi_builds', 'harassment', 'Again.'],
      ['plot17', 'harassment', 'The vegetables are not bothered. My neighbours are.'],
    ],
    decided: { as: 'suspend', after: 5, days: 14, hides: true, why: reasons.rude },
  },
  {
    kind: 'user',
    about: 'quiet_otter',
    user: 'quiet_otter',
    age: 2.7,
    reports: [['cal_r', 'other', 'An empty profile that follows people. Is it a robot?']],
    decided: { as: 'dismiss', after: 9, why: 'Reading without posting is fine.' },
  },
]
