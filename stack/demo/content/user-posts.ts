/** The posts of users who are not creators, by username, oldest first. Users without an entry have no posts. */
export const userPosts: Record<string, string[]> = {
  marisolq: [
    'New here! Night nurse, so if I like your post at 4 am, no I’m not okay, yes I’m having soup.',
    'Ate breakfast at 8 pm, watched the sunset and called it morning. Who needs a sun that agrees with you.',
    'My mug from @noormakes arrived. It fits my hand as though it had met my hand before.',
    'A patient of 96 told me her secret: “be curious and never finish the soup, so they have to invite you again.”',
    'Four nights in a row. I’ve started saying “have a good shift” to the bus driver. He has started saying it back.',
    `Things nobody tells you about night work:

the birds start before you’re ready,
the good pastry is still warm,
everyone you love is asleep at the same time.`,
    'Tried @rosalbabakes’ revival plan on my dead starter. Day 3: a bubble. One. I’ve named it.',
    'Saw Jupiter from the ambulance bay because of @kavyalooksup. Two colleagues and one very tired surgeon came out to look. Nobody’s pager went off for six whole minutes. #astronomy',
    'My mother, from Medellín, every single day: “and is it cold there?” It’s 24 degrees, mamá.',
    'The starter made a loaf. It’s a brick with ambition. I’ve eaten half of it. #sourdough',
    'Slept eight hours in one piece. I feel like I could run for office.',
    'Delroy’s stairwell tune got me through the 3 am paperwork. On repeat. Sorry to the whole corridor. #jazz',
    'Second mug. I don’t have a problem, I have a shelf. #ceramics',
  ],
  samira: [
    'Hello from the person behind the help address. If something here feels wrong, tell me. I read everything, and usually before lunch.',
    'A quick one on privacy. In Settings, you decide who sees your profile: everyone, followers, or only you. Whatever you pick applies to old posts too.',
    'You can switch off direct messages and hide your follower count. Neither makes you rude. It makes you someone with a dinner to eat.',
    'Blocking works both ways and nobody is told. You don’t owe anybody a reason.',
    'Thank you to the nineteen people who wrote in about the broken link. Nineteen! It’s fixed. You’re all lovely and very thorough.',
    'No news today. I just wanted to say that reading about @plot17’s sweet peas at my desk was a mistake.',
  ],
  benji_o: [
    'Form 2 has discovered that magnesium burns. I’ve discovered that form 2 can scream.',
    'Marking 84 papers on the periodic table. “Noble gases are gases that behave well.” I’ve given half a point.',
    'One of my old students passed the pharmacy board today and called me before her mother. I had to sit down on the staff room step.',
    'Showed the class @noormakes’ ash glaze recipe for our lesson on oxides. They asked to fire something. I don’t have a kiln. I have a barbecue and a bad idea.',
    '+ Barbecue kiln: it was a bad idea. Very educational. #chemistry',
  ],
  ailsa_m: [
    'Force 8, all sailings off, and a man on the pier still asks if it’s “just a bit breezy”.',
    'Porpoises off the bow at six this morning. Didn’t tell the passengers for a full minute. That minute was mine.',
    '@plot17 forty years on these boats and you’re scared of a courgette.',
    'Somebody left a cello on the ferry. A whole cello. How do you not notice your cello?',
    '+ Cello update: reunited. There was crying, and then there was a concert on the car deck.',
  ],
  pavel_h: [
    'A lady brought me a cake because I waited when I saw her running in March. I don’t remember. I wait for everybody.',
    'First tram of the day, nobody in it, pink sky, green lights all the way down. I’d do it for free. Don’t tell them.',
    'To the young man who sang in the second car last night: flat on the high bit, otherwise very good.',
  ],
  gwen_t: [
    'A cookbook came in for rebinding with 60 years of gravy in it. I’ve been told not to clean anything. I wouldn’t dare.',
    'Found a pressed fern, a tram ticket and a love letter in one volume of tax law. Bound them back in where they were.',
    'Thirty bridges by @yuki_ink, folded and sewn. I’ve never been so nervous about a straight cut. #bookbinding',
    'Zia Pina, daughter of Matera, now lives in a jam jar in Hobart. First loaf tonight. #sourdough',
    '+ It rose!!! I’d like to thank my oven, my flour, and a furious Italian woman.',
    'Reading in the bath is fine. Repairing in the bath, it turns out, is not.',
  ],
  farid_k: [
    'A courtyard is a machine for making afternoon bearable. We used to know that.',
    'The client wants glass on the south side. I’ve shown him the sun. We’re at an impasse, he and I and the sun.',
    'Tea with my old professor. He looked at my drawings for a long time and said: “Where does the grandmother sit?” Back to work.',
  ],
  sunniva: [
    'Day 12 at sea. We’ve counted 4,118 krill. I’ve started to recognise some of them.',
    'Nobody warned me that being a marine biologist is 80 % spreadsheets and 20 % being wet.',
    'Orca in the fjord, a mother and a calf. Whole institute at the windows. Nothing was researched for an hour.',
  ],
  joaquin_r: [
    'Closed the books for the quarter, opened the case, played until the neighbour knocked. In time, to be fair to him.',
    'Recorded a bass line in the stairwell, because the reverb on the fourth floor is better than any plug-in. Sent it to Birmingham. Let’s see. #jazz',
    'It came back with piano on it. I’ve listened on the bus, in the office, and once in the lift with the doors held open.',
    'An accountant and a bass player walk into a bar. Nobody notices either of them, and yet everything would fall apart.',
  ],
  meilin_c: [
    'A boy bought one single sheet of gold paper with coins from his pocket. He wouldn’t say what for. I’ve thought about it all week.',
    '+ He came back. It was for a crown. For the dog.',
    'Nine stalls with @linheats. I’m not hungry until next month. #streetfood',
    'Fountain pen ink that smells of nothing for people who think everything smells. Niche? Sold out.',
    'My char koay teow man is retiring and nobody’s taking over. Please eat it while it’s there. That’s the whole message. #streetfood',
  ],
  abeba: [
    'Cupped 46 coffees today. My tongue has filed a complaint.',
    'Somebody asked whether a natural from Guji “tastes of blueberry because they add it”. I’ve had to take a short walk.',
    'At home it’s three rounds: abol, tona, baraka. You don’t leave after the first, whatever your calendar says. #coffee',
  ],
  oisin: [
    'Planed one plank all day. The boss looked at it, said “grand”, and left. I’m told that’s a standing ovation.',
    'Launched the little one today. She leaks, she’s meant to, the wood drinks first. Tomorrow she’ll be tight. #woodworking',
    'There’s sawdust in my tea, in my bed and in my sister’s car. She’s started charging it rent.',
  ],
  tala_v: [
    'Quantum mechanics midterm. I’m both passing and failing until somebody opens the envelope.',
    'Answered @kavyalooksup’s quiz: it was Venus. I TOLD my roommate it was Venus. #astronomy',
    'The planetarium let me run the projector for a school group. I made it night. On purpose. With a lever.',
    '+ Midterm: passing. The envelope has collapsed in my favour.',
  ],
  hugo_b: [
    'Cargo bike inventory this morning: two kids, one scooter, one cello case (empty), nine sticks “that are special”.',
    'My daughter has informed me that the hill is “not a hill, just road that’s tired”.',
    'Brakes squealed, @mateus_wrench diagnosed it from a voice message. It was the mudguard. He was right in four seconds. #bikes',
  ],
  wanjiru_k: [
    'Ran stairs in the parking building like @tomaszruns said. The guard asked if I’d lost my car.',
    'Negative split for the first time in my life. It was an accident, but I’ll take it. #running',
    'A dashboard nobody opens is a diary. Thank you for coming to my stand-up.',
    'Marathon done. 4:38. I walked at 34 and cried at 41 and would like it known that I sprinted the last 200 metres like a gazelle. A tired gazelle.',
  ],
  deepa_s: [
    'Four hours of practice, and the last ten minutes were music. It’s a fair exchange.',
    'I SEWED SLEEVES. Concert next week in a blouse made by me, drafted by @chiamaka_sews. #sewing',
    '+ The blouse survived the concert. The string did not. We both kept going.',
  ],
  lars_e: [
    'A lamp is just a very small weather.',
    'Client wanted “cosy but bright but dim”. I’ve given them a dimmer. Everyone’s happy.',
  ],
  nadia_p: [
    'Translated one sentence for two hours. It’s nine words long. The ninth is “although”.',
    'A word I miss in English: the feeling of a kitchen after everyone has gone home.',
  ],
  kofi_builds: [
    'Rebar inspection at 6 am. The bridge doesn’t know it’s early.',
    '@plot17 built the raised bed. Safety factor of eleven. For carrots. I’m so proud of us both.',
    'If you want to know how a structure fails, ask the people who sweep under it. They’ve seen every crack.',
  ],
  emre_y: [
    'Flour on the camera again. I’ve stopped cleaning it, it’s a diffusion filter.',
    'Got the double exposures from @nachofilm. My tram, his mother’s kitchen. My aunt asked which part of İzmir that is. #filmphotography',
    'The light between 6:10 and 6:25 belongs to bakers and cats. #filmphotography',
  ],
  hana_k: [
    'A five-year-old told me that he brushes “on the important days”. We’ve agreed that Tuesdays are important.',
    'Somebody’s tooth came out in my waiting room, in a sandwich. Fastest appointment of the year.',
  ],
  rafael_dm: [
    'Your recording isn’t bad, your room is. Hang up a duvet.',
    'Mixing a trio recorded on three continents. The piano has a fridge in B flat. I’ve tuned the reverb to it. #jazz',
    'Silence is never silent. It’s usually the neighbour’s pump.',
  ],
  sofie_vdb: [
    'Guided a class of eight-year-olds past the Flemish primitives. One of them: “why is the baby so old?” Best question in the history of the museum.',
    'Crumb picture posted, judgment of @rosalbabakes received, framed. #bread',
    'There’s a jar of a 19-year-old Italian starter in my fridge and my flatmate is a little afraid of it. #sourdough',
    'Baked until midnight, overslept, opened the museum with flour on my face. A visitor asked if I was part of the exhibition.',
  ],
  malik_j: [
    'The 53 bus was early. I’ve been writing that sentence in my head for nine years.',
    'Long tones in the parking structure. Two other people were there for their own reasons. We nodded.',
    'Birmingham, I’m packing. Trumpet, one good shirt, no plan. @delroy_keys has the plan. #jazz',
    'Hot take: bus shelters should have a back, a roof, and a clock that tells the truth. I’ll settle for two of three.',
  ],
  tess_w: [
    'Lambing. 3 am. Rain. Twins. Asked the dog for a second opinion.',
    'City friend asked what sheep think about. Escape, mainly. And each other’s business.',
    'Sun came out at 16:04. I stood in it until 16:09, when it went back in. Good day.',
  ],
  arjun_p: [
    'Deleted 4,000 lines today and everything still works. I’m afraid to look into why.',
    'The best documentation I’ve ever read was on the back of my mother’s rice tin.',
  ],
  ines_g: [
    'Every tile on a façade has a number on its back. When somebody puts them back wrong, the saint gets two left hands. I’ve seen it.',
    'Painting on the step of the bike shop, because the light’s honest there. #azulejos',
    'A piece of cobalt blue from 1740 matched. It took me eleven tests. Nobody will ever see where it was broken. That’s the job.',
  ],
  dmitri_a: [
    'An oud came in with a crack and a letter from the grandfather. I read the letter first.',
    'Glue needs 24 hours. The customer has called four times. The glue hasn’t changed its mind.',
  ],
  leilani_k: [
    'Found the fern. Three years, one ridge, so much mud. It’s four centimetres tall and looks like nothing. I cried on it a little. #botany',
    'If it has been here for two million years, you can wait for the picture and stay on the path.',
  ],
  grzegorz: [
    'Call at 21:40. “We only wanted to see the sunset.” The sunset isn’t the problem. It’s the part straight after.',
    'A headlamp weighs 80 grams. I weigh 90 kilos. Take the lamp, leave me on the sofa. #mountains',
    'Everyone home safe this week. Nothing to tell. Best kind of week.',
  ],
  carmen_o: [
    'My son asked me what’s wrong with his curtains. We don’t have that kind of time.',
    'For forty years I set sleeves for other people’s weddings. Now a girl in Lagos hangs my advice over her machine. Look at that. #sewing',
    'I’ve made new curtains. He hasn’t noticed. I’ll give him until Thursday.',
  ],
  jamal_n: [
    'Interviewed a fisherman for an hour and used eleven seconds. They’re a good eleven seconds.',
    'Third swimming lesson. The teacher is nine years old and merciless.',
    'Radio is just somebody being nice to you in the dark.',
  ],
  signe_r: [
    'Finished the long one. Starting the other long one.',
    'Note to self: the library closes at five.',
  ],
  walter_f: [
    'Hello. This is Walter. My granddaughter Beth set this up. Is this where the bread lady is?',
    'I walked the same route for 34 years and knew every dog. I believe that I could draw you the dogs.',
    'Tried the potato in a pot that the Scottish fellow recommends. I have named it Gerald.',
    '+ Gerald has leaves.',
    'Twenty-six below this morning. The mail still went out. It always goes out.',
    'We ate Gerald. He was excellent. Beth said I should not post it, but I think he would have wanted it. #garden',
  ],
  minh_d: [
    'Double shift, then my grandmother’s broth at 1 am. She says I cut onions like a restaurant.',
    '@linheats what does your auntie do about the lacy edge. Asking for me. I’m desperate. #streetfood',
  ],
  yara_s: [
    'Redrew one letter for a logo for six hours. It’s the same letter. It’s completely different.',
    'No more bowls, I said. Anyway, here’s my new bowl. #ceramics',
    'Power cut, candles, everybody on the balconies, someone with a guitar. I know it isn’t meant to be nice. It was nice.',
  ],
  tuomas_l: ['Lake 1 °C. Air −14 °C. Thoughts: none.', 'Sauna. Lake. Sauna. Lake. Sandwich.'],
  bridget_n: [
    'Baby number 1,204. Came at ten past five, with the milk van. Mother grand, father on the floor.',
    'If you’re wondering whether to put the kettle on: yes.',
  ],
  ayu_w: [
    'My mother says my blue is “too proud”. My aunt says it’s “too humble”. Same blue. #batik',
    'Waxing day. Twelve hours, one pattern, no talking. Then one drop in the wrong place, and it becomes a bird.',
  ],
  zoltan_k: [
    'Hive 9 remains impolite. I’ve apologised, though I don’t know for what.',
    'The first acacia honey is so clear that you can read the label from behind. Of course I’ve put the label on both sides.',
  ],
  anika_b: [
    'Finally sent the purple one. Six weeks. The move was “trust your left foot”. I hate it when they’re right.',
  ],
  moses_l: [
    'Trued my first wheel today on a stand that used to be a bed. @mateus_wrench says half a millimetre. I say perfect. #bikes',
    'Customer number 20. She paid with mangoes and told her whole street. Fair price.',
  ],
  paloma_x: [
    'Week 9 of the apprenticeship. I can now centre a kilo of clay, as long as nobody’s looking. #ceramics',
    'Used @noormakes’ birch ash recipe with pine ash from my uncle’s bakery. My teacher held the cup for a long time. She never holds the cup. #glaze #ceramics',
    'At 34 I’m the oldest beginner and the only one who sweeps without being asked. That’s experience, muchachos.',
  ],
  shira_g: [
    'A man put on his first pair of glasses and read me every sign in the street for ten minutes. I let him.',
  ],
  cal_r: [
    'Dawn patrol: two-foot, glassy, nobody out. Back at my desk by nine with salt in my ears and no regrets.',
  ],
  noemi_f: [
    'Packed for three days. The suitcase says three weeks. The cello says nothing, it has its own seat.',
    'To the deckhand who found my cello: I owe you a concert every year until one of us dies. @ailsa_m',
  ],
  haruto_s: [
    'Last chair of the day, nobody left on the hill, only the groomer’s lights going up. I stay a minute longer than I need to.',
    'Cycling tour, day 1: eleven guests, two flat tyres, one bear (far away, very polite). #bikes',
  ],
  lwazi_m: [
    'Hello everyone. Second tenor, first post.',
    'Choir practice. The basses were right. Write down the date.',
  ],
  elif_d: [
    'Planted forty plane trees along a road that’ll need them in thirty years. The mayor asked when they’ll “look finished”. When your granddaughter sits under one.',
    'A tree doesn’t need a hashtag but here we are. #trees',
  ],
  oscar_v: ['I came for the film posts and stayed for a retired mailman’s potato.'],
}
