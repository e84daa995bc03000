/** What Tomasz wrote, oldest first. */
export const trail: string[] = [
  'New here. I’m a physio who runs hills. I’ll post training notes that fit around a job, and what I tell my patients, which is mostly “less, but more often”.',
  'Rule one of downhill: look three steps ahead, not at your shoes. Your shoes know where they are.',
  '12 km in fog this morning. Saw one chamois and my own breath. Perfect. #trailrunning',
  `Three exercises for runners’ ankles that take four minutes while the kettle boils:

– single-leg stand, eyes closed, 40 s each
– slow heel drops off a step, 12 each
– toe yoga (big toe up, others down; then swap). You’ll hate it.`,
  'A patient asked when she can run again after her sprain. When you can hop thirty times without pulling a face. Not a day on a calendar. A face.',
  'I got overtaken on Kasprowy by a man in jeans carrying a crate of apples. Humbling sport.',
  'Wet roots are ice. Treat every root as if it has a grudge.',
  'Did my long run with @grzegorz from the rescue team. He carries a full first-aid kit “just for a jog”. By the end I’d decided he was right and I am reckless. #trailrunning',
  'Taper week. I have cleaned every shoe in the house and reorganised the spices.',
  `Race report, 46 km, 2,400 m up.

Km 1–15: too fast, obviously.
Km 16–30: beautiful, alone, one cow.
Km 31–38: bargaining.
Km 39–46: a boy of about nine ran next to me for a bit and said “you’re not even last”. I’ve never been so motivated.

7 h 02. Soup at the finish.`,
  'Recovery is training you can do lying down.',
  'Everyone asks about shoes. Fit, then grip, then weight, then colour. The order matters. I say this as a man who bought the orange ones.',
  'Snow line is down to the hut. Microspikes live in the pack from now on. #mountains',
  'Easy runs should be so easy that you could complain the whole way. If you can’t complain, slow down.',
  '@wanjiru_k asked how to train for hills in a flat city. Stairs, a heavy backpack, a parking garage at night, and no shame whatsoever.',
  'Turned around 200 m below the ridge today because of wind. Nobody will ever congratulate you for that, so: congratulations to everyone who turned around today. #trailrunning',
  'New loop: 18 km, behind the quarry, hardly anyone. I won’t post the track, but buy me a coffee and I’ll draw it on a napkin.',
  'Week in numbers: 61 km, 3,100 m up, 1 fall (graceful), 2 dogs met, 0 alarms ignored. That last one is the record. #trailrunning',
  'My grandmother is 84 and walks to the chapel and back every day, 6 km with 200 m of climbing. I asked her for her training plan. She said “chapel”.',
]
