import type { Theme } from './users.ts'

/** The posts of each creator, oldest first. A post that starts with `+ ` is published soon after the previous one. */
export const creatorPosts: Record<Theme, string[]> = {
  ceramics: [
    'Hello, I’m Noor. I make pots in a borrowed corner of a printing workshop in Marseille. I’ll post what comes out of the kiln, including the parts I would rather hide.',
    'First thing you learn from sharing a space with printers: everything you own will have a little magenta on it. I’ve decided it’s a glaze.',
    `Threw 22 mugs today. Kept 14. Of those 14, I actually like 6.

Twelve years in, that ratio has barely moved. What has moved is how quickly I can tell.`,
    'Question for the other clay people here: do you wedge at the start of the day or right before each ball? My wrists are asking.',
    'Test tiles are out. Number 7 was supposed to be celadon. Number 7 is the colour of a hospital corridor. #glaze #ceramics',
    'A customer wrote that her daughter only eats soup if it’s in “the wobbly bowl”. The wobbly bowl was a second. There are no seconds any more.',
    `Small thing that changed my handles: pull them, then walk away for twenty minutes before you attach them. Wet handles slump because you’re impatient, not because you’re bad at it.

#ceramics #pottery`,
    'Found a second-hand kiln in Aubagne. 110 litres, one previous owner, four broken elements. The seller threw in a bag of lemons. Sold.',
    '+ Kiln update: it fits through the door if you take the door off. And part of the frame. The printers have been very kind about it.',
    '+ Spent the whole day replacing elements and learning words in French that my teacher never taught me.',
    `It fires! Cone 6, held for fifteen minutes, no drama. I sat on an upturned bucket beside it until two in the morning as if it were a sick animal.

Opening tomorrow. Do not let me open it tonight.`,
    '+ I opened it at 140 °C. I know. One plate went *tink* to teach me. The rest are beautiful.',
    'Marseille light at seven in the morning through a dusty window does more for a white glaze than any photographer could. @nachofilm you would lose your mind in here.',
    'People ask why a bowl costs 38 euros. Clay 1, glaze 1, two firings 4, the table at the market 5, the ones that crack 6. Then about an hour and a half of me. I’m not complaining, I just think numbers are more interesting than mystery.',
    'My grandmother kept her olives in one big jar with a chipped lip, and she turned the chip to the wall when guests came. I’ve been trying to make that jar for a decade. #ceramics',
    'First market of the year: sold 31 pieces, dropped 1, swapped 2 for honey. Feet destroyed. Would do it again tomorrow.',
    `Today’s failure, for the record: a shelf of plates warped because I dried them by the radiator.

Dry slowly. Cover the rims. Flip them. I teach this. I TEACH this.`,
    'Trimming is the only part of this job where I stop thinking. Three hours went by and I couldn’t tell you a single thing I thought about.',
    'Recycling day. Forty kilos of old mistakes going back into the pug mill. There’s something very forgiving about clay.',
    'Commission news: I’m making all the plates for @rosalbabakes’ new counter. Sixty of them. She wants them “the colour of crust but not brown”. Bakers.',
    '+ Crust-but-not-brown, attempt 1: brown.',
    'Crust-but-not-brown, attempt 4: getting somewhere. Rutile does the thing if you let it cool slowly between 1050 and 980. #glaze',
    'Crust-but-not-brown, attempt 9. She cried on the phone. In a good way, I think. It was 4 am there, or rather, it was 4 am here and she was already at work.',
    `Shipping sixty plates to Matera taught me more about packing than twelve years of markets.

1. Two boxes, always.
2. Nothing touches anything.
3. Shake it. If you hear something, start again.
4. Write “plates” on it, not “fragile”. People believe nouns.

All sixty arrived.`,
    'Does anyone else have a tool they would save from a fire? Mine is a bent bike spoke that @mateus_wrench’s cousin gave me at a market. Best trimming tool I own.',
    'Rain all week, nothing dries, every pot in the studio is in a bad mood, me included.',
    'Evening class starts again. Eight people, four of whom told me they have “no talent”. We will make eight ugly bowls and everyone will be delighted.',
    '+ Update: eight ugly bowls. Everyone is delighted. One man held his the whole way through the metro, his wife says.',
    'A thing I say to every beginner: centre yourself before you centre the clay. Elbows in, feet flat, breathe out when you push. It sounds like yoga, it’s really just levers.',
    'Glaze chemistry rabbit hole of the week: why does my tenmoku go tea-dust on the north shelf only? Reading https://en.wikipedia.org/wiki/Tenmoku and every forum from 2006.',
    '+ It was the draught. The north shelf sits next to the spyhole. Ten days of chemistry and the answer was a gap.',
    'Thank you for all the kind words about the jar. It’s not even my best jar. I’m putting my best jar up next week, and you’ll all scroll past it, and that’s how it goes.',
    'Cracked. S-cracks in the bottom of nine out of twelve. Compress your bases, friends. I got lazy and the kiln kept the receipt.',
    'Someone asked whether I mind when people use my pots as ashtrays / plant saucers / dog bowls. I make them. What they become is between you and the dog.',
    `I was going to stop at the end of last winter. I had the application for a teaching job half filled in. I never told anybody here.

Then the plates happened, and the class filled up, and eleven of you ordered mugs in one night. The form is still in the drawer. I used the back of it for a glaze recipe.`,
    'New wheel day. Same model as the old one, because I’m a coward, but the pedal doesn’t squeak. The silence is unsettling.',
    'Studio soundtrack has been @delroy_keys’ left hand lesson on repeat. I can’t play a note and I have very strong opinions on shell voicings now.',
    'Signed the lease. My own room. 34 square metres, two windows, a sink that works, a landlord who wants to be paid partly in salad bowls.',
    'Moving a kiln, part two. This time with six friends, one ramp and no lemons.',
    'First firing in the new place. I hung my grandmother’s photo over the kiln so she can keep an eye on the temperature.',
    'The neighbours upstairs asked if the ticking was a clock. It’s plates, cooling. They came down to listen. #ceramics',
    'Ash glaze from the wood @astrid_wood sent me as offcuts! Birch ash, washed twice. It runs like honey where it’s thick and goes almost silver where it breaks over an edge. Forty tiles to go before I trust it. #glaze #ceramics',
    '+ For everybody asking about the birch ash: yes, I’ll post the recipe once it has behaved three firings in a row. It has behaved one.',
    'Two out of three. #glaze',
    `Three out of three. Here it is:

Washed birch ash 40
Potash feldspar 30
Ball clay 20
Silica 10
+ 2 red iron oxide

Cone 6, slow cool. It runs, so stop 1 cm above the foot and use a biscuit. If you try it, show me. #glaze #ceramics`,
    '@paloma_x tried the birch ash on her instructor’s clay and it came out better than mine. I’m thrilled. I’m fine. I’m thrilled.',
    'Open studio this weekend. There will be tea, there will be seconds for three euros, there will be me pretending I don’t see you picking up the pot by its handle.',
    '+ Open studio: 140 people in a room of 34 square metres. One toddler, zero breakages. I want to shake that toddler’s hand.',
    'My best jar, finally. Chip included, on purpose, on the side you’d turn to the wall. It isn’t for sale. #ceramics #pottery',
    'Making sixteen noodle bowls for @linheats’ pop-up. Brief: “deep, heavy, you should need both hands, and it must survive my uncle.” Best brief I’ve ever had.',
    '+ Noodle bowls came out of the glaze kiln this morning. Uncle-proof as far as I can test without an uncle. #ceramics',
    'Packing mugs with the door open. The street smells of bread and the sea. Good day to have a door.',
  ],
  trail: [
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
    '@wanjiru_k asked how to train for hills in a flat city. Stairs, a heavy backpack, the long bridge over the estuary, and no shame whatsoever.',
    'Turned around 200 m below the ridge today because of wind. Nobody will ever congratulate you for that, so: congratulations to everyone who turned around today. #trailrunning',
    'New loop: 18 km, behind the quarry, hardly anyone. I won’t post the track, but buy me a coffee and I’ll draw it on a napkin.',
    'Week in numbers: 61 km, 3,100 m up, 1 fall (graceful), 2 dogs met, 0 alarms ignored. That last one is the record. #trailrunning',
    'My grandmother is 84 and walks to the chapel and back every day, 6 km with 200 m of climbing. I asked her for her training plan. She said “chapel”.',
  ],
  jazz: [
    'Evening all. Delroy, piano, Birmingham. I play Tuesdays at the Lantern, where the drummer gets the good seat, and teach the rest of the week. Ask me anything except “can you play something we know”.',
    'Your left hand is too busy. I don’t know you, I haven’t heard you, and I’m still right.',
    `Lesson for the week: shell voicings. Root and seventh, or root and third. That’s it. Two notes. Leave the rest to the bass player, who has been waiting all night for you to get out of the way. #jazz`,
    'The upright at the Lantern has a dead D above middle C. I’ve now written three tunes in keys that avoid it.',
    'A lad of 14 came for his first lesson and played me “Misty” off the internet with every note right and no time at all. We’ve put the metronome on 2 and 4. He hates me. He’ll be brilliant.',
    'Listening to Mary Lou Williams with the lights off. If you only know the names on the T-shirts, start there. https://en.wikipedia.org/wiki/Mary_Lou_Williams',
    'Gig last night: eleven in the audience, one of them asleep, and the best “Body and Soul” we’ve ever played. It’s always when there are eleven.',
    'Tip: learn the words, even if you never sing them. You can’t phrase a melody if you don’t know where the breath is.',
    'Drummer’s van broke down, so we played as a duo, and I found out how much I lean on him. A lot, it turns out. Buy your drummer dinner.',
    '@joaquin_r sent me a bass line he recorded in a stairwell in Montevideo. I’ve put chords on it. We’ve never met. This is my favourite thing about the internet. #jazz',
    `My mother cleaned offices in Digbeth, and one of them had a piano. She’d let me sit at it while she did the floors. I was five. I’d get one song per corridor.

I think about that every time someone tells me they don’t have time to practise.`,
    'Practise slower. No, slower than that. If it’s boring you’re nearly there.',
    'Piano tuner came to the Lantern. The D lives! I now have three tunes in stupid keys for no reason.',
    'Student recital. Nerves everywhere. One girl stopped in the middle, said “hang on”, laughed, and carried on. Biggest applause of the night. Remember that one. #piano',
    'Transcribed eight bars of Wynton Kelly this morning. Took two hours. Worth a month of scales. #jazz',
    'Somebody requested “something we know”. I played it. In 7. They danced anyway.',
    'New duo set with @malik_j when he’s over from Detroit next month: trumpet, piano, no safety net. Details when the Lantern lets me announce it, which is now, apparently. #jazz',
    'First proper recording of the stairwell tune is done. Bass in Montevideo, trumpet in Detroit, piano in a front room in Handsworth with the fridge switched off. @rafael_dm mixed it and still heard the fridge.',
  ],
  food: [
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
    'My cheap trick for figs and herbs: damp cloth, box, bottom of the fridge. Mint lasts nine days. Figs last one, because they’re figs and I’m me.',
    `Grandfather’s coffee, as dictated to me over the phone:

“Dark roast. Too much. Condensed milk. Too much. Ice. Enough. Sit outside.”

That’s the recipe. #coffee`,
    'Judge a bánh mì by the sound, not by the filling. If the table next to you can’t hear the first bite, the bread’s from yesterday.',
    'Auntie Sáu let me hold the ladle. I REPEAT. She let me hold the ladle.',
    'Pop-up is happening! Two nights, forty seats, my uncle on the charcoal and me pretending to be in charge. Bowls by @noormakes, because plastic bowls make me sad. #streetfood',
    'The bowls arrived. My uncle picked one up, knocked on it twice like a door, and nodded. That’s a five-star review.',
    'Auntie Sáu finally gave me the bánh xèo recipe, on one condition: I can cook it, I can teach it, I can’t write it down. So come and stand next to me. #streetfood',
    'Night market tonight. If you see somebody arguing with a crab, that’s me, say hi.',
  ],
  film: [
    'Soy Nacho. Rosario, Argentina. I shoot film because I like waiting. Everything here was developed in a kitchen that still smells of fixer. #filmphotography',
    'First roll through the repaired camera, frame 36: my thumb. A classic opening.',
    'HP5 pushed to 1600 from the window of a night bus. Grain like gravel. I love it.',
    'Bought a Rolleicord from a dentist’s widow. The last roll was still inside. I’ve developed it. There’s one picture: two dogs at a window, perfectly exposed. I sent her a print.',
    '+ She called. The dog’s name was Capitán.',
    `Kitchen developing, for those who ask:

Dark bag, tank, 20 °C (use a bowl of water, don’t guess), developer, stop, fix, wash, one drop of dish soap, hang it in the shower, and forbid everybody to shower. #darkroom`,
    'Sunny 16 isn’t a rule, it’s a prayer that’s usually answered.',
    'The light meter in my OM-1 died, and my pictures got better. I’m taking that personally.',
    'Six frames left on the roll for eleven days now. I’m not “saving” them. I’m afraid of them.',
    'Portrait tip: put the camera down, talk for ten minutes, and when they forget about it, it’s too late for them. Works on nuthatches. #filmphotography',
    'Loaded the film without hooking it on the take-up spool. Photographed a whole wedding rehearsal onto nothing. It was only the rehearsal. I’ve aged.',
    'Everybody photographs the river at sunset. Turn around. The buildings are what the sunset is *doing*.',
    '@emre_y and I traded rolls: he shot one in İzmir, I shot over it in Rosario. Double exposures of two cities 12,000 km apart. There’s a tram driving through my mother’s kitchen. #filmphotography',
    '+ My mother would like it to be known that she approved of neither the tram nor the kitchen.',
    'Contact sheets teach you more than any course. Look at what you did just before the good one. And just after. Usually you’d moved on too early.',
    'A stranger let me photograph his hands. Forty years of nets. He asked for a copy “of the left one, it’s the good side”.',
    'Printing day. Test strips everywhere, the cat has one stuck to her. 8 seconds, grade 3, burn the sky a bit. #darkroom #filmphotography',
    'If prices of colour film keep going up I’ll be forced to have taste.',
  ],
  wood: [
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
  ],
  sky: [
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
    'School visit: 62 children, 1 kite, 1 Moon by daylight. A boy asked if the kite could touch it. I said not yet.',
    'ISS over the city at 19:42, brighter than anything, 4 minutes, no equipment. I still wave. I know they can’t see me. I still wave.',
    `A short list of things that looked fuzzy and changed how people think:

– the Orion nebula: stars being made
– the Ring nebula: a star that’s done
– Andromeda: it isn’t even in our galaxy

All three fit in cheap binoculars or a small scope. #astronomy`,
    'My neighbour complained about “the cannon on the roof”. I invited her up. She’s now there more often than I am, has opinions on eyepieces, and sends me pictures of rockets.',
    'Collimation evening. Which means: turning three screws for an hour, making it worse, then turning them back.',
    'Occultation tonight: the Moon slides in front of a star, and it doesn’t fade, it just goes, like a switch. Half a second that proves the star is a point and the Moon has no air. #astronomy',
    'Dark-sky trip with the club: 41 people, 11 telescopes, thermoses beyond counting. At 3 am somebody started singing and nobody told them to stop.',
    'Bad seeing, good samosas. It evens out.',
    'I’ve started a list “for people with ten minutes and no telescope”. This week: look low in the west after sunset, wait for the first point that doesn’t twinkle, and tell me what you think it is. #astronomy',
  ],
  sewing: [
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
    'Doña @carmen_o wrote me three paragraphs on setting sleeves by eye. Forty years in a workshop in Cádiz. I printed it out and hung it over the machine.',
    'Twenty-two school uniforms in nine days. My machine is asking for its lawyer. #sewing',
    'Pocket count on everything I made this month: 74, and three spools of thread. Pockets are a right.',
    'Pattern release! The wrap skirt with no closures at all. It fits three sizes up and down, because lives move. Testers wanted, all bodies: tell me who you are and which thread you choose. #sewing',
  ],
  garden: [
    'Plot 17 reporting. Forty years on the ferries, three on the soil. I know which one gives more trouble. #allotment',
    'Neighbour on plot 16 says my shed “leans”. It’s not leaning, it’s listening.',
    'Slugs: 41. Me: 0.',
    `Compost, the whole of it: some green, some brown, some air, some damp, some time. If it smells, add brown. If it does nothing, add green. If there’s a rat, you put cooked food in, didn’t you. #garden`,
    'Found a clay pipe and half a teacup while digging the leek bed. Somebody stood here a hundred years ago and got fed up and went for his tea.',
    'First tatties lifted. Boiled, butter, salt, standing up among the marigolds. I’ll not be taking questions.',
    'Planted garlic. It’s the only crop that goes in when you want to be indoors and comes out when you want to be on holiday.',
    'The robin has decided I work for him. Fair enough, he was here first.',
    '@kofi_builds sent me a drawing for a raised bed with proper load calculations. It’s for carrots, son. But I built it. It’ll outlast the Tay bridge.',
    'Dahlias! I was told they’re vulgar. They are. They’re marvellous. Come and be vulgar with me. #garden',
    'Frost got the courgettes. Said a few words over them. Only the dragonfly stayed to listen.',
    'A seed is the only thing you can buy for two pounds that might feed your street.',
    'Committee meeting lasted three hours. The subject was a hose.',
    'My wife, Jean, liked sweet peas. I’m no good at them; they sulk. I grow them anyway. One came up on the right day this year, next to the forget-me-nots. That’s all, that’s the post.',
    '+ Thank you for the messages about Jean’s sweet peas. I read every one in the shed. The robin saw nothing.',
    'Hose dispute: resolved. There are now two hoses and a second dispute. #allotment',
    'Slugs 212, me 1. I’ve started leaving them a lettuce of their own. It’s called diplomacy. #garden',
    'If you’ve only a windowsill: a pot, a spud with eyes, half a bag of compost. Top up as it grows. You’ll get your dinner and you’ll tell everyone about it. #garden',
  ],
  ink: [
    'Small ink drawings from Kanazawa. One a day, more or less. Today: rain on the tiled roof opposite. #ink',
    'The cat sat still for eleven seconds. That’s four lines and an ear.',
    'Cheap paper teaches you to be quick. Good paper teaches you to be afraid. I use cheap paper until noon.',
    'Drew the same bridge every day for thirty days. On day 19 I noticed there’s a second bridge behind it.',
    'Ink tip: let the brush run almost dry for the far hills. Distance is mostly lack of ink. #ink #drawing',
    'Spilled a whole bottle. The stain looks like a heron. I’ve signed it.',
    `Things I drew on the train to Toyama:
a sleeping salaryman,
his perfectly folded umbrella,
the mountains (badly),
the mountains (better),
a child drawing me.`,
    'Someone asked which pen. The one in your bag.',
    'It snowed, so today’s drawing is mostly paper.',
    'My teacher used to say: don’t draw the branch, draw the gap the bird needs. I didn’t understand it for fifteen years. Today, a little.',
    '@gwen_t bound my thirty bridges into one small accordion book and posted it back from Hobart. It opens to 2.4 metres. I keep opening it. #ink',
    'The cat has learnt that sitting ON the paper prevents being drawn.',
    'New brush, goat and weasel. It’s like driving somebody else’s car. #ink',
    'Exhibition in the tea shop: nine drawings, one nail each, no lights. An old man stood in front of the rain for a long time and then bought an umbrella from the shop next door.',
    'Mistakes in ink can’t be erased, only continued.',
    'Quick study of @noormakes’ chipped jar from her photograph. The chip is the whole drawing. #ink #drawing',
    'Rain again. I’ve drawn this roof more than two hundred times. It still isn’t finished with me.',
    'If you’d like to draw tonight: a cup, three lines, five minutes, no second try. Show me yours. #drawing #ink',
  ],
  bread: [
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
  ],
  bikes: [
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
  ],
}
