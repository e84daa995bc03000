/** What Mateus wrote, oldest first. */
export const bikes: string[] = [
  'Mateus, bike mechanic, Porto. The hills here eat brakes. I’ll post noises and what they were. #bikes',
  'Noise of the day: “tic… tic… tic”, only when seated, only uphill. Not the bottom bracket. It was the seat rail. It’s nearly always the seat rail.',
  'Chain care for people with no time: wipe it. That’s it. Rag, two turns of the pedals, once a week. You’ve just doubled its life.',
  '1978 Órbita came in, found in a henhouse. Everything seized, the chrome under the muck perfect. I’ve cleared my week. #bikes',
  '+ Órbita, day 3: the seatpost moved! Heat, ice, penetrating oil, swearing in two dialects.',
  `Please, when you buy a used bike, before you fall in love:

– spin the wheels, look at the gap at the brakes
– rock the cranks sideways
– look UNDER the paint behind the headset for ripples
– lift the back, shift through everything

Then fall in love.`,
  'Brake pads are cheaper than teeth.',
  'A man brought me a carbon frame with “a small scratch”. You could see through the scratch.',
  'Noise of the day: a squeal that only happened on weekdays. It was his lunch box touching the tyre.',
  'Teaching @moses_l wheel truing over video, him in Kampala on a stand made from a bed frame. He got to half a millimetre. I’ve had apprentices with a diploma who can’t. #bikes',
  'Fixed a cargo bike for @hugo_b’s cousin’s friend, which is how all of my customers arrive.',
  'Órbita is done. The owner’s father bought it new; he’s 81. He rode it round the square once without a word, and then once more.',
  'Tubeless is wonderful until the day it’s not, and on that day you’ll be in white trousers.',
  'Noise of the day: none. Lady just wanted to hear somebody say that it was fine. It was fine. No charge. #bikes',
  'Every bike that comes in has a story about why nobody oiled the chain. They’re all the same story. It rained and you were tired. I forgive you.',
  'Wheel building evening. 32 spokes, radio on, door open, @ines_g painting tiles on the step because the light’s better here. #bikes',
  'Free brake check for everybody who rides to school, all of next week. Bring the small people. I’ve got stickers.',
  'Sticker report: 58 small bikes, 19 sets of pads, one tricycle with a horn that’ll haunt me. #bikes',
]
