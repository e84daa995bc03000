type HideableField =
  | 'studied_at'
  | 'lives_in'
  | 'from'
  | 'relationship_status'
  | 'gender'
  | 'age'
  | 'website'
  | 'social_links'

/**
 * The "about" fields and discounts of a profile, named like the columns of `profile_about` and `profile_details`, and
 * the fields that the user hides.
 */
export interface ProfileAbout {
  country?: string
  lives_in?: string
  from_location?: string
  studied_at?: string
  age?: number
  gender?: 'female' | 'male' | 'non-binary' | 'other' | 'prefer-not-to-say'
  relationship_status?:
    | 'single'
    | 'in-relationship'
    | 'married'
    | 'engaged'
    | 'complicated'
    | 'prefer-not-to-say'
  website?: string
  instagram_url?: string
  youtube_url?: string
  tiktok_url?: string
  pinterest_url?: string
  x_url?: string
  allow_auto_posting?: boolean
  /** AI-written posts wait for the creator's approval. */
  approve_auto_posts?: boolean
  quarterly_discount?: number
  half_yearly_discount?: number
  yearly_discount?: number
  hidden?: HideableField[]
}

const [female, male] = ['female', 'male'] as const

/** By username. All links use example names and domains. */
export const profileAbout: Record<string, ProfileAbout> = {
  noormakes: {
    country: 'FR',
    lives_in: 'Marseille, France',
    from_location: 'Amman, Jordan',
    studied_at: 'École des Beaux-Arts de Marseille',
    age: 34,
    gender: female,
    relationship_status: 'in-relationship',
    website: 'https://noor-haddad.example.com/',
    instagram_url: 'https://instagram.com/example.noormakes',
    pinterest_url: 'https://pinterest.com/example_noormakes',
    youtube_url: 'https://youtube.com/@example-noormakes',
    allow_auto_posting: true,
    approve_auto_posts: true,
    quarterly_discount: 10,
    half_yearly_discount: 20,
    yearly_discount: 30,
    hidden: ['relationship_status'],
  },
  marisolq: {
    country: 'PT',
    lives_in: 'Lisbon, Portugal',
    from_location: 'Medellín, Colombia',
    studied_at: 'Universidad de Antioquia',
    age: 31,
    gender: female,
    relationship_status: 'single',
    instagram_url: 'https://instagram.com/example.marisolq',
    hidden: ['age', 'social_links'],
  },
  samira: {
    country: 'BE',
    lives_in: 'Brussels, Belgium',
    age: 38,
    gender: female,
    hidden: ['age', 'gender'],
  },
  tomaszruns: {
    country: 'PL',
    lives_in: 'Zakopane, Poland',
    from_location: 'Kraków, Poland',
    studied_at: 'Physiotherapy, AWF Kraków',
    age: 36,
    gender: male,
    relationship_status: 'married',
    website: 'https://tomasz-runs.example.com/',
  },
  delroy_keys: {
    country: 'GB',
    lives_in: 'Birmingham, England',
    from_location: 'Handsworth',
    studied_at: 'Royal Birmingham Conservatoire',
    age: 52,
    gender: male,
    youtube_url: 'https://youtube.com/@example-delroy',
    hidden: ['age'],
  },
  linheats: {
    country: 'VN',
    lives_in: 'Đà Nẵng, Vietnam',
    from_location: 'Huế, Vietnam',
    age: 27,
    gender: female,
    relationship_status: 'single',
    tiktok_url: 'https://tiktok.com/@example.linheats',
    instagram_url: 'https://instagram.com/example.linheats',
  },
  nachofilm: {
    country: 'AR',
    lives_in: 'Rosario, Argentina',
    age: 41,
    gender: male,
    website: 'https://nacho-film.example.com/',
  },
  astrid_wood: {
    country: 'SE',
    lives_in: 'Umeå, Sweden',
    studied_at: 'Carl Malmsten Furniture Studies',
    age: 45,
    gender: female,
    relationship_status: 'married',
    website: 'https://astrid-wood.example.com/',
    pinterest_url: 'https://pinterest.com/example_astrid',
  },
  kavyalooksup: {
    country: 'IN',
    lives_in: 'Pune, India',
    from_location: 'Mysuru, India',
    studied_at: 'Physics, Fergusson College',
    age: 29,
    gender: female,
    x_url: 'https://x.com/example_kavya',
    hidden: ['gender'],
  },
  chiamaka_sews: {
    country: 'NG',
    lives_in: 'Lagos, Nigeria',
    from_location: 'Enugu, Nigeria',
    age: 33,
    gender: female,
    relationship_status: 'engaged',
    instagram_url: 'https://instagram.com/example.chiamaka',
  },
  plot17: {
    country: 'GB',
    lives_in: 'Dundee, Scotland',
    from_location: 'Oban, Scotland',
    age: 67,
    gender: male,
    relationship_status: 'married',
  },
  yuki_ink: {
    country: 'JP',
    lives_in: 'Kanazawa, Japan',
    studied_at: 'Kanazawa College of Art',
    age: 26,
    instagram_url: 'https://instagram.com/example.yuki',
    allow_auto_posting: true,
    quarterly_discount: 10,
    yearly_discount: 20,
  },
  rosalbabakes: {
    country: 'IT',
    lives_in: 'Matera, Italy',
    from_location: 'Matera, Italy',
    age: 48,
    gender: female,
    relationship_status: 'married',
    website: 'https://rosalba-bakes.example.com/',
  },
  mateus_wrench: {
    country: 'PT',
    lives_in: 'Porto, Portugal',
    age: 39,
    gender: male,
    youtube_url: 'https://youtube.com/@example-mateus',
    allow_auto_posting: true,
    quarterly_discount: 10,
    half_yearly_discount: 15,
    yearly_discount: 25,
  },
  benji_o: {
    country: 'GH',
    lives_in: 'Accra, Ghana',
    studied_at: 'University of Ghana',
    age: 42,
    gender: male,
    relationship_status: 'married',
  },
  ailsa_m: { country: 'GB', lives_in: 'Oban, Scotland', age: 30, gender: female },
  pavel_h: { country: 'CZ', lives_in: 'Brno, Czechia', age: 50, gender: male },
  gwen_t: { country: 'AU', lives_in: 'Hobart, Tasmania', age: 61, gender: female, hidden: ['age'] },
  farid_k: {
    country: 'UZ',
    lives_in: 'Tashkent, Uzbekistan',
    studied_at: 'Tashkent Institute of Architecture',
    age: 37,
    gender: male,
  },
  sunniva: {
    country: 'NO',
    lives_in: 'Bergen, Norway',
    studied_at: 'University of Bergen',
    age: 32,
    gender: female,
  },
  joaquin_r: { country: 'UY', lives_in: 'Montevideo, Uruguay', age: 44, gender: male },
  meilin_c: { country: 'MY', lives_in: 'Penang, Malaysia', age: 36, gender: female },
  abeba: { country: 'ET', lives_in: 'Addis Ababa, Ethiopia', age: 33, gender: female },
  oisin: { country: 'IE', lives_in: 'Galway, Ireland', age: 22, gender: male, relationship_status: 'single' },
  tala_v: {
    country: 'PH',
    lives_in: 'Cebu, Philippines',
    studied_at: 'Physics, University of San Carlos',
    age: 20,
    gender: female,
  },
  wanjiru_k: { country: 'KE', lives_in: 'Nairobi, Kenya', age: 29, gender: female },
  deepa_s: {
    country: 'IN',
    lives_in: 'Chennai, India',
    age: 40,
    gender: female,
    relationship_status: 'married',
  },
  lars_e: { country: 'DK', lives_in: 'Aarhus, Denmark', age: 47, gender: male },
  nadia_p: { country: 'BG', age: 35, gender: female },
  kofi_builds: { country: 'GH', lives_in: 'Kumasi, Ghana', studied_at: 'KNUST', age: 38, gender: male },
  emre_y: { country: 'TR', lives_in: 'İzmir, Türkiye', age: 28, gender: male },
  hana_k: { country: 'CZ', lives_in: 'Olomouc, Czechia', age: 43, gender: female },
  rafael_dm: { country: 'BR', lives_in: 'Recife, Brazil', age: 34, gender: male },
  sofie_vdb: { country: 'BE', lives_in: 'Ghent, Belgium', age: 31, gender: female },
  malik_j: { country: 'US', lives_in: 'Detroit, Michigan', age: 26, gender: male },
  arjun_p: { country: 'IN', lives_in: 'Kochi, India', age: 30, gender: male },
  ines_g: { country: 'PT', lives_in: 'Porto, Portugal', age: 27, gender: female },
  dmitri_a: { country: 'AM', lives_in: 'Gyumri, Armenia', age: 55, gender: male },
  leilani_k: {
    country: 'US',
    lives_in: 'Hilo, Hawaiʻi',
    studied_at: 'University of Hawaiʻi at Hilo',
    age: 39,
    gender: female,
  },
  grzegorz: { country: 'PL', age: 46, gender: male },
  carmen_o: {
    country: 'ES',
    lives_in: 'Valencia, Spain',
    from_location: 'Cádiz, Spain',
    age: 69,
    gender: female,
  },
  jamal_n: { country: 'SN', lives_in: 'Dakar, Senegal', age: 41, gender: male },
  walter_f: {
    country: 'US',
    lives_in: 'Duluth, Minnesota',
    age: 71,
    gender: male,
    relationship_status: 'married',
  },
  minh_d: { country: 'US', lives_in: 'Houston, Texas', age: 25, gender: male },
  yara_s: { country: 'LB', lives_in: 'Beirut, Lebanon', age: 30, gender: female },
  tuomas_l: { country: 'FI', lives_in: 'Tampere, Finland', age: 48 },
  bridget_n: { country: 'IE', lives_in: 'Cork, Ireland', age: 52, gender: female },
  ayu_w: { country: 'ID', lives_in: 'Pekalongan, Indonesia', age: 23, gender: female },
  zoltan_k: { country: 'HU', lives_in: 'Pécs, Hungary', age: 58, gender: male },
  anika_b: {
    country: 'DE',
    lives_in: 'Leipzig, Germany',
    age: 33,
    gender: female,
    relationship_status: 'complicated',
  },
  moses_l: { country: 'UG', lives_in: 'Kampala, Uganda', age: 24, gender: male },
  paloma_x: { country: 'MX', lives_in: 'Oaxaca, Mexico', age: 34, gender: female },
  shira_g: { country: 'IL', lives_in: 'Haifa, Israel', age: 45, gender: female },
  cal_r: { country: 'ZA', lives_in: 'Durban, South Africa', age: 29, gender: male },
  noemi_f: { country: 'FR', lives_in: 'Toulouse, France', age: 21, gender: female },
  haruto_s: { country: 'JP', lives_in: 'Sapporo, Japan', age: 31, gender: male },
  lwazi_m: { country: 'ZA', lives_in: 'Pietermaritzburg, South Africa', age: 28 },
}
