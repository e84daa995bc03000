/** What Kavya wrote, oldest first. */
export const sky: string[] = [
  'Hi! Kavya, amateur astronomer near Pune. I drag an 8-inch telescope on to a roof and tell whoever’s awake what’s up there. No maths unless you ask. #astronomy',
  'Best first telescope: binoculars you already own. Point them at the Moon’s edge, where the shadows are. Gasp. You’re an astronomer.',
  'Showed the watchman Saturn at 1 am. He looked for a long time and then asked very quietly, “and it is always there?” Yes. It’s always there. #astronomy',
  `How to find north without an app: find the Plough (Saptarishi), take the two stars at the end of the bowl, follow the line five times their distance. That’s Dhruva, Polaris. It isn’t the brightest. It’s just the one that stays.`,
  'Clouds. Obviously. I cleaned the mirror today.',
  '+ Clouds, day 2. Named the clouds.',
  'It takes about 20 minutes for your eyes to adapt to the dark and one notification to undo it. Put the phone face down. Red torch only.',
  'Sketching at the eyepiece beats photographing for one reason: you have to look at it for half an hour.',
  'The light you see from Andromeda left when there were no people at all, anywhere. It landed on Ganesh’s mirror at 23:14 last night, on a roof in Maharashtra, next to a water tank. #astronomy',
  '@tala_v asked why stars twinkle and planets don’t. Stars are points, so every ripple of air shakes the whole point. Planets are tiny discs; the ripples average out. You can test it tonight.',
  'School visit: 62 children, 1 telescope, 1 Moon. A boy asked if he could touch it. I said not yet.',
  'ISS over the city at 19:42, brighter than anything, 4 minutes, no equipment. I still wave. I know they can’t see me. I still wave.',
  `A short list of things that looked fuzzy and changed how people think:

– the Orion nebula: stars being made
– the Ring nebula: a star that’s done
– Andromeda: it isn’t even in our galaxy

All three fit in cheap binoculars or a small scope. #astronomy`,
  'My neighbour complained about “the cannon on the roof”. I invited her up. She’s now there more often than I am and has opinions on eyepieces.',
  'Collimation evening. Which means: turning three screws for an hour, making it worse, then turning them back.',
  'Occultation tonight: the Moon slides in front of a star, and it doesn’t fade, it just goes, like a switch. Half a second that proves the star is a point and the Moon has no air. #astronomy',
  'Dark-sky trip with the club: 41 people, 11 telescopes, thermoses beyond counting. At 3 am somebody started singing and nobody told them to stop.',
  'Bad seeing, good samosas. It evens out.',
  'I’ve started a list “for people with ten minutes and no telescope”. This week: look low in the west after sunset, wait for the first point that doesn’t twinkle, and tell me what you think it is. #astronomy',
]
