import { idOf } from './numbers.ts'
import type { DemoPost } from './posts.ts'

/** A post that says what can be bought in a store elsewhere. */
export interface DemoProduct extends DemoPost {
  product: { name: string; price: number; storeUrl: string; category: string }
}

const day = 86_400_000
const author = 'noormakes'

const texts: [number, string, DemoProduct['product']][] = [
  [
    61.4,
    'The book that I wish I had had: forty glazes for cone 6, each with its recipe, its tile and what went wrong before. Ring-bound, so that it lies open beside the scales. #glaze',
    {
      name: 'Forty Glazes, a workbook',
      price: 34,
      storeUrl: 'https://shop.noor-haddad.example.com/forty-glazes',
      category: 'Books',
    },
  ],
  [
    19.3,
    'Twelve mugs from the last firing are in the shop, soft white inside and bare clay outside. They hold 320 ml and fit a big hand. When they are gone, the next ones come with the next kiln. #pottery',
    {
      name: 'Soft white mug',
      price: 28,
      storeUrl: 'https://shop.noor-haddad.example.com/soft-white-mug',
      category: 'Tableware',
    },
  ],
]

export const makeProducts = (now: Date): DemoProduct[] =>
  texts.map(([age, content, product]) => ({
    id: idOf('post', `${author} product ${product.name}`),
    author,
    content,
    pictured: false,
    product,
    at: new Date(now.getTime() - age * day),
  }))
