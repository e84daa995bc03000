/** What Ignacio wrote, oldest first. */
export const film: string[] = [
  'Soy Nacho. Rosario, Argentina. I shoot film because I like waiting. Everything here was developed in a kitchen that still smells of fixer. #filmphotography',
  'First roll through the repaired camera, frame 36: my thumb. A classic opening.',
  'HP5 pushed to 1600 in a bus station at night. Grain like gravel. I love it.',
  'Bought a Rolleicord from a dentist’s widow. The last roll was still inside. I’ve developed it. There’s one picture: a dog on a beach, perfectly exposed. I sent her a print.',
  '+ She called. The dog’s name was Capitán.',
  `Kitchen developing, for those who ask:

Dark bag, tank, 20 °C (use a bowl of water, don’t guess), developer, stop, fix, wash, one drop of dish soap, hang it in the shower, and forbid everybody to shower. #darkroom`,
  'Sunny 16 isn’t a rule, it’s a prayer that’s usually answered.',
  'The light meter in my OM-1 died, and my pictures got better. I’m taking that personally.',
  'Six frames left on the roll for eleven days now. I’m not “saving” them. I’m afraid of them.',
  'Portrait tip: put the camera down, talk for ten minutes, and when they forget about it, it’s too late for them. #filmphotography',
  'Loaded the film without hooking it on the take-up spool. Photographed a whole wedding rehearsal onto nothing. It was only the rehearsal. I’ve aged.',
  'Everybody photographs the river at sunset. Turn around. The buildings are what the sunset is *doing*.',
  '@emre_y and I traded rolls: he shot one in İzmir, I shot over it in Rosario. Double exposures of two cities 12,000 km apart. There’s a tram driving through my mother’s kitchen. #filmphotography',
  '+ My mother would like it to be known that she approved of neither the tram nor the kitchen.',
  'Contact sheets teach you more than any course. Look at what you did just before the good one. And just after. Usually you’d moved on too early.',
  'A stranger let me photograph his hands. Forty years of nets. He asked for a copy “of the left one, it’s the good side”.',
  'Printing day. Test strips everywhere, the cat has one stuck to her. 8 seconds, grade 3, burn the sky a bit. #darkroom #filmphotography',
  'If prices of colour film keep going up I’ll be forced to have taste.',
]
