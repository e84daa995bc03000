/** A premium post: the teaser is public, the content is for buyers. */
export interface PremiumPost {
  author: string
  /** US dollars. */
  price: number
  /** Days since it was posted. */
  age: number
  teaser: string
  content: string
  hasPicture?: true
  /** Included in a subscription to its author. */
  included?: true
  /** Shows how many users unlocked it. */
  showsUnlocks?: true
  /** At the top of its author's profile. */
  pinned?: true
}

export const premiumPosts: PremiumPost[] = [
  {
    author: 'noormakes',
    price: 6,
    age: 318,
    teaser:
      'My first reliable white: the full recipe, the firing curve, and the two mistakes that make it crawl. #glaze',
    content:
      'Soft white, cone 6, oxidation, in parts by weight: nepheline syenite 32, silica 24, kaolin 18, whiting 16, zinc oxide 4, frit 3134 6, and zirconium silicate 8 on top.\n\nSieve twice at 80 mesh. Dip for three seconds, no more. Climb 100 °C an hour to 600, then 150 to 1222, hold fifteen minutes.\n\nIt crawls for two reasons: dust on the bisque, or a second coat over a dry first one. Wash the pots the day before. Then leave them alone.',
  },
  {
    author: 'noormakes',
    price: 12,
    included: true,
    age: 244,
    teaser: 'How I price a pot, with every number: clay, gas, hours, the ones that crack, and what is left.',
    content:
      'One mug, last month, honestly: clay 0.90, glaze 0.70, electricity for two firings 2.10, rent 3.40, market fee 2.60, packing 1.20, one in seven lost 1.80. That is 12.70 before I have touched anything.\n\nThrowing 6 minutes, trimming 5, handle 7, glazing 4, loading and sanding 6: 28 minutes. At 20 an hour that is 9.30. So 22, and I ask 28, because the last 6 pay for the week in which nothing works.\n\nDo this sum once for your own pots. Do it before somebody asks for a discount.',
  },
  {
    author: 'noormakes',
    price: 9.5,
    included: true,
    age: 151,
    teaser:
      'Crust-but-not-brown: the glaze from the sixty plates, all nine attempts and why eight of them failed. #ceramics #glaze',
    content:
      'Attempt 9, the one she cried about: potash feldspar 40, whiting 19, silica 21, kaolin 12, talc 8; add rutile 6 and red iron 2.\n\n1 to 3 had too much iron: brown. 4 was right and too shiny: less whiting. 5 and 6 I cooled too fast. 7 ran onto the shelf (talc 14, greedy). 8 was perfect and I had not written down the cooling.\n\nThe cooling is the glaze: full speed to 1050, then 40 °C an hour down to 980, then let go. Below that nothing changes but your patience.',
  },
  {
    author: 'noormakes',
    price: 18,
    showsUnlocks: true,
    age: 83,
    teaser:
      'Centring in one evening: the lesson I give my class, step by step, with the four exercises and what each mistake feels like.',
    content:
      'Exercise one: close your eyes. Put wet hands on a turning lump and only listen with them. Five minutes. You are learning what “off” feels like before you try to fix it.\n\nTwo: left elbow in the hip bone, and lean. Not push, lean. If your arm shakes, your elbow has left.\n\nThree: cone up, cone down, six times. Up with both palms, down with the thumb side of the right hand. Breathe out on the way down.\n\nFour: let go slowly. Count to three. Most people centre the clay and then knock it off centre by leaving in a hurry. It is also good advice for parties.',
  },
  {
    author: 'noormakes',
    price: 7.5,
    included: true,
    age: 37,
    hasPicture: true,
    pinned: true,
    teaser: 'The big jar: how I throw it in two parts and join them without a seam that shows. #pottery',
    content:
      'Throw the lower half as an open cylinder, 34 cm across, rim 12 mm and flat. Measure the rim with callipers, twice. Leave it until the rim keeps a thumbprint and the wall still gives.\n\nThrow the upper half upside down on a bat with the same callipers. Score both, slip one. Turn it over in a single movement, with somebody else in the room, preferably somebody strong who does not talk.\n\nThen throw the seam: a rib inside, a sponge outside, slowly. The seam goes when the two walls have the same wetness. That is all the secret there is.',
  },
  {
    author: 'noormakes',
    price: 5,
    age: 0.12,
    hasPicture: true,
    teaser:
      'Kiln diary of the last firing: what was on which shelf, what came out, and the one pot I will never sell.',
    content:
      'Top shelf: fourteen mugs in soft white. Thirteen good, one with a hair in the glaze (mine). Middle: bowls in ash glaze, the best I have had, because the wood came from the olive my neighbour had to fell. Bottom: test tiles and one jar.\n\nThe jar slumped a little to the left at 1200. It leans as my grandmother did when she listened. I have put it on the window sill, chip to the wall. It stays.',
  },
  {
    author: 'tomaszruns',
    price: 8,
    included: true,
    age: 120,
    teaser:
      'Twelve weeks to your first mountain half marathon, for people with a job: the whole plan, week by week. #running',
    content:
      'Weeks 1 to 4: three runs. Tuesday 40 minutes easy, Thursday 8 times 1 minute uphill, Sunday 70 to 90 minutes walking whatever is steep.\n\nWeeks 5 to 8: Thursday becomes 5 times 3 minutes, Sunday grows to 2 h 15. Add ten slow step-downs a leg after each run: the descent is what hurts.\n\nWeeks 9 to 11: one Sunday of 2 h 45 with all you will carry. Week 12: two short runs and sleep. Miss a week? Repeat the one before. Miss two? You still have knees. Well done.',
  },
  {
    author: 'delroy_keys',
    price: 10,
    included: true,
    age: 64,
    hasPicture: true,
    teaser:
      'Ten left-hand voicings that fit nearly every standard, and the order in which I teach them. #jazz #piano',
    content:
      'In C, bottom to top. Minor: C–Bb, then C–Eb–Bb. Dominant: C–Bb–E, then E–Bb–D. Major: C–B–E, then E–A–D. Half diminished: C–Gb–Bb. Altered: E–Bb–Eb. Sus: C–F–Bb. And the one for endings: C–G–D–E.\n\nA week on each pair, round the circle of fourths, with the metronome on 2 and 4. Never jump: the nearest inversion wins.\n\nWhen you can do it while someone talks to you, put a tune on top.',
  },
  {
    author: 'linheats',
    price: 4,
    included: true,
    age: 52,
    hasPicture: true,
    teaser:
      'The auntie said yes: her mì Quảng, with the quantities she swears she has never measured. #streetfood',
    content:
      'For four: 600 g pork belly, 300 g shrimp, 2 spoons fish sauce, 1 of turmeric, 6 shallots, and annatto oil until it looks like late afternoon.\n\nFry shallots in the oil, then pork, then shrimp for one minute and out again. Water to cover, 25 minutes, shrimp back. There must be little broth: it is a noodle that wears its soup, not one that swims.\n\nWide noodles, herbs, peanuts, a cracker broken over it. She says: if it needs chilli sauce, you were in a hurry.',
  },
  {
    author: 'kavyalooksup',
    price: 3,
    included: true,
    age: 28,
    hasPicture: true,
    teaser:
      'Five things in this month’s sky that need nothing but a dark balcony: when, where, and what to tell the children. #astronomy',
    content:
      'One: the half moon’s edge at dusk, where the mountains throw shadows. Two: Jupiter, the bright one that does not twinkle. Three: the Pleiades; count them, six is normal, seven is bragging.\n\nFour: a satellite within ten minutes, if you lie down. Five: your own eyes getting better for twenty minutes. That is the best one.\n\nTell the children: the light of the Pleiades set out about when the first telescopes were made.',
  },
  {
    author: 'rosalbabakes',
    price: 14,
    included: true,
    age: 71,
    hasPicture: true,
    teaser:
      'The evening before: my whole schedule for durum sourdough, hour by hour, with what your hands should feel. #sourdough',
    content:
      '18:00 feed Zia Pina, one part to two of flour. 21:30 mix 1000 g semola rimacinata, 720 g water, wait 40 minutes. 22:10 add 200 g starter, 20 g salt, fold. 22:50 fold. 23:30 fold; it should hold a shape as long as you need to admire it.\n\nThen cold, 5 °C, until morning. 6:00 shape, tighter than you dare. 8:00 into 250 °C with steam, 20 minutes; 25 more at 220.\n\nKnock on the bottom. If nobody answers, bake it longer.',
  },
  {
    author: 'mateus_wrench',
    price: 5.5,
    included: true,
    age: 16,
    hasPicture: true,
    teaser:
      'The click nobody can find: my list of eleven places to look, from the cheapest to the saddest. #bikes',
    content:
      '1 skewers. 2 saddle rails. 3 seat post, grease it. 4 pedals, grease them. 5 chainring bolts. 6 bottle cage. 7 stem bolts. 8 headset. 9 bottom bracket. 10 freehub. 11 the frame, near the seat tube, with a torch and a prayer.\n\nRide standing: if it stops, look at 2 and 3. One click a turn of the cranks: 4, 5 or 9. Only under load on the right: 5.\n\nEight times in ten it was the bottle cage.',
  },
  {
    author: 'astrid_wood',
    price: 25,
    included: true,
    age: 96,
    hasPicture: true,
    teaser:
      'Drawings and cutting list for the three-legged stool, so that it stands on any floor. #woodworking',
    content:
      'Seat: 340 mm round, 38 thick, birch. Legs: three of 470, 38 square at the top, 28 at the foot. Wedges of oak.\n\nDrill at 12 degrees outwards on lines 120 degrees apart, on a circle of 230. A mirror on the bench shows you both angles at once.\n\nTaper the tenons 1 in 12, drive, wedge across the grain of the seat, never along. Cut the feet last: stool on a flat board, a pencil on a 40 mm block, go round. Three legs always stand. People spend years on the fourth.',
  },
  {
    author: 'yuki_ink',
    price: 3.5,
    included: true,
    age: 5,
    hasPicture: true,
    teaser: 'Rain in nine strokes: the lesson, at the speed I really draw it. #ink #drawing',
    content:
      'First three: the roof, from far to near, each a little wetter. Fourth: the gutter, one breath.\n\nFive to eight are the rain. Hold the brush at its end. Let it fall, do not pull it. If the four are alike, turn the paper over.\n\nThe ninth is whatever went wrong. Look at it for a minute. Then make it a cat.',
  },
  {
    author: 'chiamaka_sews',
    price: 9,
    included: true,
    age: 33,
    hasPicture: true,
    teaser: 'The wrap skirt without closures: how I draft it from three measurements, for any body. #sewing',
    content:
      'Waist, hip, length. Front and back are the same piece: half the hip plus 22 cm of overlap, the length plus 6 for the hem. Curve the top edge by 1.5 cm so that it sits and does not slide.\n\nThe tie is twice the waist plus 60. Cut it on the straight grain, interface the first 20 cm only, and leave a slot in the right side seam, 5 cm below the top.\n\nHem it last, on the person, in the shoes. Bodies are not symmetrical and floors are not level.',
  },
  {
    author: 'plot17',
    price: 4,
    included: true,
    age: 21,
    hasPicture: true,
    teaser:
      'My winter plan for one allotment bed: what goes in, what stays out, and what the frost does for free. #garden',
    content:
      'November: garlic, 15 cm apart, pointed end up, and broad beans if the ground is not yet sulking. December: nothing. Sharpen things.\n\nLeave the leaves. Under them the soil stays four degrees warmer, and the worms do the digging you were going to hurt your back with. Potatoes go where the beans were.\n\nThe frost breaks the clods better than any fork. Turn them up rough and walk away.',
  },
  {
    author: 'nachofilm',
    price: 6,
    included: true,
    age: 40,
    hasPicture: true,
    teaser: 'One roll, one day: how I plan 36 frames so that at least six are worth printing. #film',
    content:
      'Before noon, ten frames: light from the side, faces, one lens. Noon to four, six frames at most, in doorways and under awnings. The last two hours get twenty, because that is where the six are.\n\nWrite down every frame: where, why, the exposure, and what you hoped for. When the negatives come back, read the hopes first.\n\nDevelop at 20 °C, agitate gently, and never on the evening of a bad day.',
  },
]
