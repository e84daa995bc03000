/** What a creator posts about. Each theme has posts in creator-posts.ts and pictures in pictures/media/. */
export type Theme =
  | 'ceramics'
  | 'trail'
  | 'jazz'
  | 'food'
  | 'film'
  | 'wood'
  | 'sky'
  | 'sewing'
  | 'garden'
  | 'ink'
  | 'bread'
  | 'bikes'

/** A user of the demo. Omitted settings have the platform's defaults. */
export interface DemoUser {
  username: string
  name: string
  bio: string
  /** Days since registration. */
  joined: number
  /** Users with a theme are creators. */
  theme?: Theme
  admin?: true
  /** Set for the three users who can sign in. The others get `<username>@demo.test` and no password. */
  email?: string
  visibility?: 'followers' | 'private'
  directMessages?: false
  showCounts?: false
  discoverable?: false
  inDirectory?: false
  /** How likely the user is to like and follow, from 0 to 1. Defaults to 0.5. */
  activity?: number
  /** How many hours ago the user last opened the notifications. The default depends on the file that reads it. */
  lastSeen?: number
  /** Days since the user started to post pictures. Omitted if any post can have one. */
  pictured?: number
  /** The user has no avatar, so the app shows the initials. */
  noPicture?: true
  age?: number | null
  /** ISO 3166 code. */
  country?: string | null
}

export const demoPassword = 'ovation-demo'

export const demoUsers: DemoUser[] = [
  {
    username: 'noormakes',
    name: 'Noor Haddad',
    email: 'creator@demo.test',
    theme: 'ceramics',
    pictured: 14,
    joined: 372,
    activity: 0.8,
    lastSeen: 16,
    bio: 'Potter in Marseille, from Amman. Stoneware for kitchens that are actually used. Kiln diaries, glaze tests, honest failures. New work on the first of the month.',
  },
  {
    username: 'marisolq',
    name: 'Marisol Quintero',
    email: 'fan@demo.test',
    joined: 331,
    activity: 1,
    lastSeen: 90,
    bio: 'Night-shift nurse, day-shift napper. Medellín → Lisbon. I am here for the pots, the piano and the planets.',
  },
  {
    username: 'samira',
    name: 'Samira Benkacem',
    email: 'admin@demo.test',
    admin: true,
    joined: 375,
    activity: 0.4,
    lastSeen: 30,
    bio: 'I look after Ovation: accounts, reports, and the questions nobody else wants. Write to me if something feels off.',
  },
  {
    username: 'tomaszruns',
    name: 'Tomasz Wieczorek',
    theme: 'trail',
    joined: 360,
    activity: 0.7,
    bio: 'Trail runner and physio in Zakopane. Slow up, careful down. Training notes for people with jobs and knees.',
  },
  {
    username: 'delroy_keys',
    name: 'Delroy Bramwell',
    theme: 'jazz',
    joined: 348,
    bio: 'Piano in Birmingham. Tuesdays at the Lantern, teaching in between. Voicings, old records, and why your left hand is too busy.',
  },
  {
    username: 'linheats',
    name: 'Linh Phan',
    theme: 'food',
    joined: 355,
    activity: 0.8,
    bio: 'Eating my way down one street at a time. Đà Nẵng based, plastic-stool certified. Recipes when the auntie says yes.',
  },
  {
    username: 'nachofilm',
    name: 'Ignacio Ferreyra',
    theme: 'film',
    joined: 340,
    showCounts: false,
    bio: 'Film photographer in Rosario. 35 mm and a stubborn 6×6. I develop in the kitchen and apologise to the neighbours.',
  },
  {
    username: 'astrid_wood',
    name: 'Astrid Holmqvist',
    theme: 'wood',
    joined: 352,
    bio: 'Furniture maker in Umeå. Hand tools where they help, machines where they don’t hurt. Commissions open twice a year.',
  },
  {
    username: 'kavyalooksup',
    name: 'Kavya Raghunathan',
    theme: 'sky',
    joined: 337,
    activity: 0.7,
    bio: 'Amateur astronomer outside Pune. 8-inch Dobsonian called Ganesh. What to look for tonight, no equipment snobbery.',
  },
  {
    username: 'chiamaka_sews',
    name: 'Chiamaka Eze',
    theme: 'sewing',
    joined: 310,
    bio: 'Pattern cutter in Lagos. I make clothes that fit the person, not the size chart. Ankara, linen, mending without shame.',
  },
  {
    username: 'plot17',
    name: 'Hamish Drummond',
    theme: 'garden',
    joined: 366,
    directMessages: false,
    bio: 'Allotment 17, Dundee. Potatoes, dahlias, slugs. Retired from the ferries, employed by the compost.',
  },
  {
    username: 'yuki_ink',
    name: 'Yuki Morishita',
    theme: 'ink',
    joined: 325,
    bio: 'Ink drawings from Kanazawa. One small picture most days. Brush pens, rain, cats who don’t want to be drawn.',
  },
  {
    username: 'rosalbabakes',
    name: 'Rosalba Conti',
    theme: 'bread',
    joined: 344,
    activity: 0.7,
    bio: 'Baker in Matera. Durum sourdough, up at 2:40, in bed before your dinner. Starter is 19 years old and ruder than me.',
  },
  {
    username: 'mateus_wrench',
    name: 'Mateus Figueira',
    theme: 'bikes',
    joined: 318,
    bio: 'Bicycle mechanic in Porto. Keeping old steel on the road. Bring me the noise nobody else can find.',
  },
  {
    username: 'benji_o',
    name: 'Benjamin Osei',
    joined: 345,
    activity: 0.6,
    bio: 'Chemistry teacher, Accra. Marking, football, more marking.',
  },
  {
    username: 'ailsa_m',
    name: 'Ailsa McRae',
    joined: 329,
    bio: 'Ferry deckhand out of Oban. Weather opinions are professional.',
  },
  {
    username: 'pavel_h',
    name: 'Pavel Horák',
    joined: 301,
    bio: 'Tram driver in Brno. Line 12, mostly on time.',
  },
  {
    username: 'gwen_t',
    name: 'Gwendolyn Tait',
    joined: 358,
    activity: 0.8,
    bio: 'Bookbinder and bookworm in Hobart. Currently repairing other people’s cookbooks.',
  },
  {
    username: 'farid_k',
    name: 'Farid Karimov',
    joined: 288,
    visibility: 'followers',
    bio: 'Architect in Tashkent. Courtyards, shade, tea. I post for friends; ask and I’ll let you in.',
  },
  {
    username: 'sunniva',
    name: 'Sunniva Aasen',
    joined: 270,
    bio: 'Marine biologist, Bergen. It is raining here. It is raining there too, probably.',
  },
  {
    username: 'joaquin_r',
    name: 'Joaquín Rivas',
    joined: 312,
    activity: 0.7,
    bio: 'Bass player and accountant, Montevideo. The two have more in common than you think.',
  },
  {
    username: 'meilin_c',
    name: 'Mei-Lin Chua',
    joined: 335,
    activity: 0.7,
    bio: 'Penang. I run a small stationery shop and eat at other people’s stalls.',
  },
  {
    username: 'abeba',
    name: 'Abeba Tesfaye',
    joined: 299,
    bio: 'Coffee buyer, Addis Ababa. I taste for a living and complain for free.',
  },
  {
    username: 'oisin',
    name: 'Oisín Kearney',
    joined: 280,
    bio: 'Boat builder’s apprentice in Galway. Sawdust in everything.',
  },
  {
    username: 'tala_v',
    name: 'Tala Villanueva',
    joined: 262,
    bio: 'Physics student in Cebu. First in the queue at the planetarium, last to leave.',
    activity: 0.7,
  },
  { username: 'hugo_b', name: 'Hugo Beaumont', joined: 254, bio: 'Lyon. Two kids, one cargo bike, no time.' },
  {
    username: 'wanjiru_k',
    name: 'Wanjirũ Kamau',
    joined: 307,
    activity: 0.7,
    bio: 'Marathoner (slow) and data analyst (less slow), Nairobi.',
  },
  {
    username: 'deepa_s',
    name: 'Deepa Subramanian',
    joined: 321,
    bio: 'Veena player, Chennai. Learning to sew my own concert blouses.',
  },
  {
    username: 'lars_e',
    name: 'Lars Eriksen',
    joined: 245,
    bio: 'Aarhus. Joiner turned lighting designer.',
    noPicture: true,
  },
  {
    username: 'nadia_p',
    name: 'Nadia Petrova',
    joined: 238,
    visibility: 'followers',
    showCounts: false,
    bio: 'Translator between four languages, fluent in none before coffee.',
  },
  {
    username: 'kofi_builds',
    name: 'Kofi Asante',
    joined: 290,
    bio: 'Structural engineer, Kumasi. Bridges by day, raised beds at weekends.',
  },
  {
    username: 'emre_y',
    name: 'Emre Yalçın',
    joined: 276,
    bio: 'İzmir. Street photographer when the bakery closes.',
  },
  {
    username: 'hana_k',
    name: 'Hana Kovářová',
    joined: 229,
    bio: 'Paediatric dentist in Olomouc. I promise it won’t hurt (the flossing lecture might).',
  },
  {
    username: 'rafael_dm',
    name: 'Rafael de Menezes',
    joined: 221,
    bio: 'Recife. Sound engineer. I hear your fridge.',
  },
  {
    username: 'sofie_vdb',
    name: 'Sofie Vandenbroucke',
    joined: 268,
    activity: 0.7,
    bio: 'Ghent. Museum educator, Sunday baker, Monday regretter.',
  },
  {
    username: 'malik_j',
    name: 'Malik Jefferson',
    joined: 315,
    bio: 'Detroit. Public transit nerd, trumpet on the side.',
    activity: 0.7,
  },
  { username: 'tess_w', name: 'Tess Whitcombe', joined: 210, bio: 'Sheep, two dogs, a hill in Cumbria.' },
  {
    username: 'arjun_p',
    name: 'Arjun Pillai',
    joined: 303,
    directMessages: false,
    bio: 'Kochi. Software, mostly deleting it. DMs closed because I would answer all of them.',
  },
  {
    username: 'ines_g',
    name: 'Inês Galvão',
    joined: 205,
    bio: 'Porto. Tile restorer. Blue under every fingernail.',
  },
  {
    username: 'dmitri_a',
    name: 'Dmitri Aleksanyan',
    joined: 259,
    bio: 'Luthier in Gyumri. Repairs, ouds, patience.',
  },
  {
    username: 'leilani_k',
    name: 'Leilani Kahale',
    joined: 198,
    bio: 'Hilo. Botanist. Mud on the boots, pollen on the laptop.',
  },
  {
    username: 'grzegorz',
    name: 'Grzegorz Bąk',
    joined: 191,
    bio: 'Mountain rescue volunteer. Please take a headlamp.',
  },
  {
    username: 'carmen_o',
    name: 'Carmen Olivares',
    joined: 282,
    bio: 'Retired seamstress from Cádiz, living with my son in Valencia and his terrible curtains.',
  },
  {
    username: 'jamal_n',
    name: 'Jamal Ndiaye',
    joined: 184,
    bio: 'Dakar. Radio producer, kora listener, bad swimmer.',
  },
  {
    username: 'signe_r',
    name: 'Signe Rasmussen',
    joined: 249,
    visibility: 'private',
    bio: 'Mostly reading. This profile is for me.',
    activity: 0.3,
  },
  {
    username: 'walter_f',
    name: 'Walter Fennimore',
    joined: 326,
    bio: '71. Retired letter carrier, Duluth, Minnesota. My granddaughter set this up and now I cannot stop.',
    activity: 0.8,
  },
  {
    username: 'minh_d',
    name: 'Minh Doan',
    joined: 177,
    bio: 'Line cook in Houston. Family recipes, restaurant hours.',
  },
  {
    username: 'yara_s',
    name: 'Yara Sabbagh',
    joined: 216,
    bio: 'Beirut. Graphic designer. Ceramics shelf is full, still buying.',
    activity: 0.8,
  },
  {
    username: 'tuomas_l',
    name: 'Tuomas Leppänen',
    joined: 233,
    bio: 'Tampere. Ice swimmer, quiet person.',
    inDirectory: false,
  },
  {
    username: 'bridget_n',
    name: 'Bridget Nolan',
    joined: 170,
    bio: 'Cork. Community midwife. Kettle always on.',
  },
  {
    username: 'ayu_w',
    name: 'Ayu Wulandari',
    joined: 163,
    bio: 'Batik maker’s daughter, Pekalongan. Colour is a family argument.',
  },
  {
    username: 'zoltan_k',
    name: 'Zoltán Kertész',
    joined: 241,
    bio: 'Pécs. Beekeeper. 14 hives, 13 of them polite.',
  },
  {
    username: 'anika_b',
    name: 'Anika Brandt',
    joined: 226,
    visibility: 'followers',
    bio: 'Leipzig. Bouldering, boring job, two cats. Followers only, nothing personal.',
  },
  {
    username: 'moses_l',
    name: 'Moses Lukwago',
    joined: 156,
    bio: 'Kampala. Boda mechanic learning bicycles.',
  },
  {
    username: 'paloma_x',
    name: 'Paloma Ximénez',
    joined: 149,
    bio: 'Oaxaca. Potter’s apprentice at 34. Never too late to be bad at something new.',
    activity: 0.8,
  },
  {
    username: 'shira_g',
    name: 'Shira Golan',
    joined: 202,
    bio: 'Haifa. Optician. I can tell you need new glasses from here.',
  },
  {
    username: 'cal_r',
    name: 'Callum Reddy',
    joined: 142,
    discoverable: false,
    bio: 'Durban. Surf report, then spreadsheets.',
  },
  {
    username: 'noemi_f',
    name: 'Noémi Fabre',
    joined: 120,
    bio: 'Toulouse. Student, cellist, chronic over-packer.',
    noPicture: true,
  },
  {
    username: 'quiet_otter',
    name: 'Robin Ashdown',
    joined: 188,
    visibility: 'private',
    directMessages: false,
    inDirectory: false,
    discoverable: false,
    activity: 0.3,
    noPicture: true,
    bio: 'Just looking, thanks.',
  },
  {
    username: 'haruto_s',
    name: 'Haruto Senda',
    joined: 96,
    bio: 'Sapporo. Ski patrol in winter, cycling tours in summer.',
  },
  {
    username: 'lwazi_m',
    name: 'Lwazi Mthembu',
    joined: 64,
    bio: 'Pietermaritzburg. Choir tenor, new here, be kind.',
  },
  { username: 'elif_d', name: 'Elif Demirtaş', joined: 41, bio: 'Landscape architect, Ankara. Trees first.' },
  {
    username: 'oscar_v',
    name: 'Óscar Valverde',
    joined: 23,
    bio: 'San José, Costa Rica. Moved here for the film posts.',
    noPicture: true,
  },
]

export const usersByName = new Map(demoUsers.map((user) => [user.username, user]))
