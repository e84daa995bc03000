/** Names of fans. Each fan gets one first name and one last name. */
export const firstNames = (
  'Ada Aisha Alba Amir Ana Andre Anouk Arjun Astou Basma Ben Bianca Bram Camille Carla Chloe Clara Daan Dalia Dario ' +
  'Diego Eleni Elif Emil Emma Enzo Esra Fadi Femke Finn Freya Gaia Greta Hadi Hugo Ines Isla Ivan Jana Jonas Julia ' +
  'Kaan Karim Katya Lara Layla Lea Leon Lina Louis Luca Lucie Maha Malik Manon Marek Mariam Matteo Mila Milan Mona ' +
  'Nils Nina Noa Olga Omar Oskar Paola Pia Rafael Rania Rosa Salma Sami Sara Selin Sofia Tariq Theo Tilda Umut Vera ' +
  'Viktor Wout Yasmin Youssef Zoe'
).split(' ')

export const lastNames = (
  'Abbas Adler Almeida Bakker Barros Becker Benali Berger Blanc Bouchard Bruni Caruso Castel Cohen Costa Dahl Demir ' +
  'Dubois Duarte Ek Esposito Faure Ferrari Fischer Fontaine Garnier Girard Haas Hansen Horvat Iversen Jansen Kaya ' +
  'Keller Khoury Klein Kovac Lambert Laurent Lehmann Lind Lopes Mancini Marchetti Masson Mercier Meyer Moreau Nasser ' +
  'Neumann Novak Olsen Orlov Pereira Petit Popov Ramos Renaud Ricci Romano Roux Sahin Santos Schmid Silva Sorensen ' +
  'Tavares Toma Vidal Vogel Weber Winter Yilmaz Zeller'
).split(' ')

/** Country codes (ISO 3166) and percentages of fans. The remaining fans have not set a country. */
export const countries: [string, number][] = [
  ['FR', 24],
  ['US', 17],
  ['DE', 12],
  ['GB', 9],
  ['IT', 7],
  ['JO', 6],
  ['PT', 4],
  ['NL', 4],
  ['BE', 3],
  ['CA', 2],
  // Too few to appear in analytics, which hides small groups.
  ['NZ', 0.5],
  ['CL', 0.5],
]

/** Notes that come with tips. Some are about pottery. */
export const tipNotes = [
  'For the kiln.',
  'Your crawling-glaze post saved my whole shelf. Thank you!',
  'Coffee is on me ☕',
  'The blue one. Please make more of the blue one.',
  'From somebody who finally centred a kilo of clay.',
  'Happy new kiln!',
  'For every question you answered in the comments.',
  'I broke a mug of yours. This is my apology to it.',
  'More kiln diaries, please',
  'My daughter and I watch your videos together.',
  'Greetings from the other side of the wheel',
  'Worth more than my last course.',
]
