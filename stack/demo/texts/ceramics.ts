/** What Noor wrote in her year, oldest first. */
export const ceramics: string[] = [
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
  'Crust-but-not-brown, attempt 4: getting somewhere. Rutile does the thing if you let it cool slowly between 1050 and 980.  #glaze',
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
]
