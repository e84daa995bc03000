export interface Product {
  name: string
  /** US dollars. */
  price: number
  storeUrl: string
  category: string
}

/** Posts that advertise a product in an external store. Their author is `noormakes`. */
export const productPosts: [daysAgo: number, text: string, product: Product][] = [
  [
    61.4,
    'The book I wish I had had: forty glazes for cone 6, each with its recipe, its tile and what went wrong before. Ring-bound, so that it lies open beside the scales. #glaze',
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
