/** What Linh wrote, oldest first. */
export const food: string[] = [
  'I’m Linh. I grew up over a noodle shop and I’ve been trying to find my way back downstairs ever since. Street food from Đà Nẵng and wherever the bus goes. #streetfood',
  'The test of a place: are the stools lower than your knees, and is there a queue of people in office shirts? Sit down.',
  'Mì Quảng for breakfast, because I’m a person of quality. Just enough broth to be polite.',
  'Auntie Sáu has made the same bánh xèo on the same corner for 31 years. I asked for the recipe. She said “flour”.',
  `How to order when you don’t speak the language:

1. Point at what somebody happy is eating.
2. Hold up one finger.
3. Smile.
4. Come back the next day. Now you’re a regular.`,
  'Ate a thing on a stick. Don’t know what it was. Had four. #streetfood',
  'Fish sauce smells like that so that only the people who deserve it will stay.',
  'Rain came down so hard that eleven strangers ended up under one tarp with one pot of snails. Best table in the city.',
  'Penang with @meilin_c: nine stalls, five hours, zero regrets, one lie-down on a public bench. She orders like a general.',
  'Auntie Sáu, week 6 of asking. Today she said “rice flour”. We’re getting somewhere.',
  'Please stop calling it a hidden gem. It has been on that corner since before you were born. You were hidden.',
  'My cheap trick for herbs at home: damp cloth, box, bottom of the fridge. Mint lasts nine days. Coriander lasts two because coriander is a quitter.',
  `Grandfather’s iced coffee, as dictated to me over the phone:

“Dark roast. Too much. Condensed milk. Too much. Ice. Enough. Sit outside.”

That’s the recipe. #coffee`,
  'Judge a bánh mì by the sound, not by the filling. If the table next to you can’t hear the first bite, the bread’s from yesterday.',
  'Auntie Sáu let me hold the ladle. I REPEAT. She let me hold the ladle.',
  'Pop-up is happening! Two nights, forty seats, my uncle on the charcoal and me pretending to be in charge. Bowls by @noormakes, because plastic bowls make me sad. #streetfood',
  'The bowls arrived. My uncle picked one up, knocked on it twice like a door, and nodded. That’s a five-star review.',
  'Auntie Sáu finally gave me the bánh xèo recipe, on one condition: I can cook it, I can teach it, I can’t write it down. So come and stand next to me. #streetfood',
  'Night market tonight. If you see somebody arguing with a crab, that’s me, say hi.',
]
