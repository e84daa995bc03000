/** What Astrid wrote, oldest first. */
export const wood: string[] = [
  'Astrid, furniture maker, Umeå. I post joints, mistakes and the occasional finished chair. Mostly mistakes; there are more of them. #woodworking',
  'A sharp chisel is safer than a blunt one, cheaper than a new one, and better company than most.',
  'Glue-up today. Fourteen clamps, two hands, one eight-minute window. I have never felt so alive or so sticky.',
  `Wood moves. Across the grain, with the seasons, for ever, no matter what you put on it. So leave it room:

– slotted holes for table tops
– panels float in their grooves
– breadboard ends glued only in the middle

If it cracked, it wasn’t the wood’s fault.`,
  'Customer: “Can it be ready by the holidays?” Me: “Which ones?”',
  'Planed a birch board until the shavings floated. Nobody needed that board to be that flat. #woodworking',
  'My apprentice cut the tails on the wrong side of the line. All forty. She looked at me. I looked at her. We’re calling it a smaller drawer.',
  'Offcuts aren’t scrap. They’re the future, in a box, in the way.',
  'Did you know you can steam-bend ash in a piece of drainpipe with a wallpaper steamer? Ugly rig, lovely chair backs.',
  'Minus 24 outside. The workshop is at plus 9 and the glue sulks below 12. Reading day.',
  'Took a chair apart that was made in 1890 with no glue at all, just dry pegs in green legs. It has outlived four owners and their opinions. Humbling. #woodworking',
  'Sent a box of birch offcuts to @noormakes to burn for ash. Strange to think of a failed cabinet turning up one day as a bowl.',
  `On pricing: I used to charge by what I thought people could bear. Now I charge by the hour and tell them how many hours. Nobody has argued since. Several have said “only forty?”`,
  'Finished the cradle. Dovetails nobody will look at, because there’ll be a baby in it. That’s as it should be.',
  '@oisin asked how to stop tear-out around knots: skew the plane, take less, sharpen again. And if it still tears, it’s a scraper job. Don’t fight knots. They’ve been there longer than you.',
  'Oil finish, third coat, rag dried FLAT outside on a stone. Oily rags in a heap catch fire by themselves. I say it every time, because one day somebody new is reading.',
  'The apprentice’s first drawer by herself: it slides shut on its own breath of air. I had to go and look at the timber pile for a minute. #woodworking',
  'Commissions open on the first of next month, six places. Tables, benches, no beds. I’ll be honest about the waiting time and then I’ll double it.',
]
