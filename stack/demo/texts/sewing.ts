/** What Chiamaka wrote, oldest first. */
export const sewing: string[] = [
  'Chiamaka here. Pattern cutter, Lagos. I’ll be showing how clothes are built, so that you stop blaming your body when they don’t fit. #sewing',
  'Size charts were invented by people who have never met anybody.',
  'Press as you sew. Not after. AS. If the iron is cold, put the needle down.',
  `Three measurements people forget, and the reason your trousers lie to you:

– front rise and back rise, separately
– where your waist is, not where you wish it were
– how you sit. Measure sitting!`,
  'NEPA took the light mid-zip. Finished by hand, under a phone torch, and I’m telling you it’s the best zip I’ve put in this year.',
  'A bride cried at the second fitting. Good tears. I cried in the store room. Also good tears, plus pins.',
  'Ankara is printed cotton. It has a direction, it has a repeat, and it will humble you at the side seams. Buy half a metre extra and match from the centre front. #sewing #ankara',
  'Mended my brother’s jacket with bright orange thread, on purpose, and he’s had four compliments. Visible mending works.',
  'Whoever invented viscose owes me an apology.',
  '@deepa_s sent her measurements and a photo of a blouse she loves. I drafted it in an evening. She sewed it herself! First sleeves! I’m so proud I showed the tailor next door.',
  '+ The tailor next door says the sleeves are “okay”. From him that’s a parade.',
  'I keep every toile I’ve ever made, folded, labelled with a name and a date. It’s a library of people.',
  `Beginners: don’t start with a T-shirt. Knit fabric will eat your confidence. Start with an elastic-waist skirt in plain cotton. Two seams, a casing, a hem. You’ll wear it, you’ll make another one, and suddenly you sew. #sewing`,
  'Seam ripper appreciation post. My most used tool. No shame in unpicking; shame is wearing it wrong for ten years.',
  'Doña @carmen_o wrote me three paragraphs on setting sleeves by eye. Fifty years in a workshop in Cádiz. I printed it out and hung it over the machine.',
  'Twenty-two school uniforms in nine days. My machine is asking for its lawyer. #sewing',
  'Pocket count on everything I made this month: 74. Pockets are a right.',
  'Pattern release! The wrap skirt with no closures at all. It fits three sizes up and down, because lives move. Testers wanted, all bodies, tell me who you are. #sewing',
]
