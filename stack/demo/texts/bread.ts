/** What Rosalba wrote, oldest first. */
export const bread: string[] = [
  'Buongiorno. It’s 2:40 and I’ve been told that people put their lives on here. Mine is flour. Rosalba, Matera. #bread',
  'The starter is called Zia Pina. Nineteen years old. She’s sour, she’s demanding, and everything good in this house came from her. Like the original.',
  'Durum isn’t wheat that has misbehaved. It’s older than your wheat. Treat it gently and give it more water than you think. #sourdough',
  `You ask why your loaf is flat. In order of likelihood:

1. It’s underproofed.
2. It’s underproofed.
3. Your starter’s hungry.
4. It’s overproofed (rarely, you’re all too impatient).
5. The oven lies. Buy a thermometer. #sourdough`,
  'An American asked for gluten-free focaccia. I gave him an orange. We parted as friends.',
  'Oven was 20 degrees low this morning, and I knew it from the sound of the crust before I looked. You get that after about 40,000 loaves.',
  'I have one rule for apprentices: touch it. Don’t look at the clock, don’t look at me, touch it.',
  'Signora Lucrezia, 93, has bought the same half kilo since the day I opened. Today she asked for a whole one. Her grandson is home. We both pretended that I had flour in my eyes.',
  'Day off. Woke up at 2:40 anyway. Lay there like a bannister.',
  'New counter! And plates for it by @noormakes, in exactly the colour I couldn’t describe. Sixty of them. I’ve already shouted at someone for stacking them.',
  'The difference between good bread and very good bread is the evening before.',
  '@sofie_vdb, your crumb picture. First: brava. Second: shape it tighter. Third: brava again. #bread',
  'Salt, people. Two per cent. Not one and a half “for health”. Eat less bread, if you must, but eat it with salt.',
  'Heat wave. The dough proofs while you’re looking for the bowl. Ice in the water, everything at night, nobody speaks.',
  `For the ten people a week who write to me about starters dying: she’s not dead. She’s asleep and offended. Feed her twice a day for three days, warm place, no apologies. She’ll come back. #sourdough`,
  'A child asked if the bread hurts when I cut it. I slash more gently now.',
  'Old bread isn’t waste, it’s tomorrow’s pancotto. Onion, tomato, chilli, yesterday’s loaf, an egg if there’s company. #bread',
  'Zia Pina is travelling: a jar of her is in Ghent, one in Hobart, one in Lagos. The old woman never left Matera in her life and now she’s got a passport. #sourdough',
]
