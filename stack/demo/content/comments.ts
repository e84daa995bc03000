import type { Theme } from './users.ts'

/** A comment on a post, then replies written in turn by the post's author and the commenter. */
export type Thread = [comment: string, ...replies: string[]]

/** Threads by theme, for the posts of the creator with that theme. */
export const themeThreads: Record<Theme, Thread[]> = {
  ceramics: [
    [
      'How long do you let these dry before the bisque?',
      'Ten days under plastic, a day without. In August half of that.',
      'Ten! I give mine two. That explains a lot.',
    ],
    [
      'I drink from one of yours every morning. It has outlived two jobs.',
      'This is my favourite kind of review. To the next job!',
    ],
    ['Is that the same clay as the plates?', 'Same body, a bit more grog. The wheel noticed.'],
    ['The rim on this. I would like to shake its hand.'],
    ['Does the studio take visitors?', 'Saturdays, if you do not mind printers shouting.'],
    [
      'You make failure look like a method.',
      'It is a method! Just an expensive one.',
      'Putting that on a tile.',
    ],
    [
      'My kiln is colder at the bottom by 20 degrees. Normal?',
      'Very. Put the glaze that forgives down there.',
    ],
    ['Would this survive a dishwasher and a teenager?', 'Dishwasher yes.'],
    [
      'I showed this to my class. They now want to know what celadon is.',
      'Tell them: a green that could not make up its mind for a thousand years.',
    ],
    ['Today’s was worth the wait. I nearly heard the lid.'],
    ['Which sieve are you using these days?', '80 mesh, and an old brush to hurry it.'],
    ['I want to live inside that glaze.'],
    ['Do you sign the foot before or after trimming?', 'After, when it is stiff enough to be honest.'],
    ['Every time I think I have seen my favourite, you post again.', 'Stop it. (Do not stop it.)'],
  ],
  trail: [
    ['My knees read this before I did.', 'Tell them I said step-downs, ten a side.', 'They have hung up.'],
    ['Poles on this one or not?', 'Up yes, down only if you can use them without looking.'],
    ['Is it runnable with snow on the north side?', 'Walkable. Give it a week of sun.'],
    ['Did your loop last Sunday. Saw a fox and my own limits.', 'Both are protected species.'],
    ['Thank you for writing for people with jobs.'],
    ['What do you eat after two hours?', 'A potato with salt. Everything else is marketing.'],
    ['Saved for spring.'],
    ['From mountain rescue: bless you for the part about turning round.', 'I stole it from you.'],
  ],
  jazz: [
    ['I tried this and my neighbour knocked. To ask what it was.', 'That is a gig. Charge him.'],
    ['Which recording should I start with?', 'Whichever you can hum by Friday.', 'Humming as we speak.'],
    ['My left hand has been reading this in shame.', 'Two notes. It will forgive you.'],
    ['Was in the third row. Still smiling.'],
    ['Bass players of the world thank you.', 'I know which side my bread is buttered.'],
    ['Metronome on 2 and 4 ruined my week and saved my time.'],
    ['Any chance of hearing the stairwell one live?', 'Tuesday, second set, if the trumpet behaves.'],
  ],
  food: [
    ['It is 4 am and now I need soup.', 'It is always 4 am somewhere. Go.', 'Going.'],
    ['Can I make it without shrimp?', 'Mushrooms, dried ones, and do not tell the auntie.'],
    [
      'Which street? Asking for my whole family.',
      'Behind the market, blue stools, closes when she is bored.',
    ],
    ['Made this twice this week. My kitchen is yellow.', 'Turmeric is for life.'],
    ['The crackle in that last line!'],
    ['How hot is hot?', 'You will hear colours, but politely.'],
    ['From one stall-eater to another: respect.'],
  ],
  film: [
    ['What did you develop it in?', 'The kitchen. And Rodinal, 1 to 50.', 'My kitchen is jealous.'],
    ['The greys in this are a whole weather.'],
    ['Is the light leak on purpose?', 'It is now.'],
    [
      'I bought a camera because of you. My bank would like a word.',
      'Tell the bank it is only thirty-six at a time.',
    ],
    ['Waiting two weeks to see a picture makes it better. Fight me.', 'I would, but it is in the wash.'],
    ['How do you meter fog?', 'One stop more than you believe.'],
  ],
  wood: [
    ['How do you keep the end grain from tearing there?', 'Sharp, sharper, and a drop of water.'],
    ['That joint is doing more for my blood pressure than my doctor.'],
    ['Is it birch?', 'Birch, from 40 km away. It travelled less than I do for coffee.'],
    ['Sawdust in everything here too. Solidarity.', 'It is a seasoning.', 'It is in the soup as we speak.'],
    ['Do you take apprentices?', 'Once a year, and they have to sharpen for a month.'],
    ['The offcut alone would make my week.'],
  ],
  sky: [
    ['Saw it! From a car park, between two lamps!', 'A car park sky counts double.', 'The guard saw it too.'],
    ['Will it be up before midnight further north?', 'From about ten, low in the east. A rooftop helps.'],
    ['What magnification was that?', '120. More only enlarges the weather.'],
    [
      'My daughter has renamed Jupiter. It is Kevin now.',
      'Kevin has more than ninety moons. Tell her to get naming.',
    ],
    ['Clouds here for nine days. I live through your posts.'],
    ['I had no idea it could be seen without a telescope.', 'Most of the good things can.'],
    ['You explain it as if it were down the road.'],
  ],
  sewing: [
    ['How much ease did you leave at the back?', 'Four centimetres and a good lunch.'],
    ['Mending without shame is my new religion.', 'We meet on Thursdays. Bring buttons.'],
    ['The way the stripes meet!!'],
    [
      'My zip has waves. Help?',
      'Stabilise the tape first, then baste. Always baste.',
      'It lies flat. I could cry.',
    ],
    ['Which needle for that linen?', 'An 80, and a new one.'],
    ['This is the first waistband that looks as if it has met a person.'],
  ],
  garden: [
    [
      'What do you do about slugs?',
      'We have an understanding. They do not keep to it.',
      'Mine want a lawyer.',
    ],
    [
      'My dahlias gave up in October. Yours are showing off.',
      'They were told about the frost and did not listen.',
    ],
    ['Is it too late for broad beans?', 'Never too late, only too wet.'],
    ['I read these to my mother. She asks after the compost.', 'Tell her it is warm and in good spirits.'],
    ['Forty years at sea and beaten by a courgette. I am framing it.'],
    ['Which potato is that?', 'Pink Fir Apple. Ugly as sin, tastes like Sunday.'],
  ],
  ink: [
    ['The empty part is the best part.', 'It took the longest.'],
    [
      'How do you know when to stop?',
      'When I am afraid to go on. Or the cat comes.',
      'Mine has come. I stopped.',
    ],
    ['Nine strokes. I counted. Twice.'],
    ['I could hear this rain.'],
    ['What paper is it?', 'Cheap in the morning. This was the afternoon.'],
    ['Did the three lines tonight. It looks like a cup if you are kind.', 'I am kind. It is a cup.'],
  ],
  bread: [
    [
      'My crumb is tight as a fist. What now?',
      'You were impatient. Two hours more, and stop looking.',
      'I looked. Once.',
      'I know you did.',
    ],
    ['Salt at two per cent changed my life.', 'Yes.'],
    ['Can I use the fridge twice?', 'You can do anything. The bread will tell you its opinion.'],
    ['Zia Pina’s daughter in Ghent says hello. She is bubbling.', 'Of course she is. She has my temper.'],
    ['I can smell this through the glass.'],
    ['Is semola the same as semolina?', 'Rimacinata, milled twice. The other is for gnocchi.'],
    ['2:40. Every day. I am in awe.'],
  ],
  bikes: [
    [
      'It was the bottle cage. IT WAS THE BOTTLE CAGE.',
      'Eight times in ten.',
      'Three years I lived with that click.',
    ],
    ['What grease?', 'The green one, and more of it.'],
    ['That lugwork. Somebody loved that frame.'],
    ['Can this fork be saved?', 'If it is only bent. If it is cracked, it is a hat stand.'],
    ['My cousin says hello and wants his spoke back.', 'Too late. It is art now.'],
    ['Do you ever sleep?', 'Between trams.'],
  ],
}

/** Threads on the posts of users who are not creators. */
export const generalThreads: Thread[] = [
  ['I laughed on the tram. People moved away.', 'More room for you!'],
  ['Needed this today, thank you.'],
  ['And then what happened?', 'We had tea. It solved most of it.'],
  ['Same here, only with more rain.', 'There is always more rain.'],
  ['You should write a book of these.', 'With my spelling?', 'Especially.'],
  ['My whole break room says hello.'],
  ['This is the most you thing you have ever posted.'],
  ['Telling my sister about this one.'],
  ['How is it going now?', 'Better than it deserves!'],
  ['I know exactly which face you made.'],
  ['Solidarity from the early shift.', 'And from the late one.'],
  ['Half a point is generous.'],
  ['The last line got me.'],
  ['Good luck tomorrow!', 'Thank you! I have laid out my socks.'],
  ['That is the best news of my week.'],
  ['Please never stop posting these.'],
]

/** Threads on premium posts, started by buyers. */
export const premiumThreads: Thread[] = [
  ['Worth every cent, and I have read it three times.', 'That makes it cheaper each time!'],
  [
    'Tried it last night. It worked first time.',
    'Now do it a second time, that is the hard one.',
    'You were right. The second was harder.',
  ],
  ['I wish someone had told me this ten years ago.', 'Me too. That is why I wrote it down.'],
  ['A question about the second step: can I wait longer?', 'Yes, a day does no harm. Two might.'],
  ['Printed it and hung it on the wall.'],
  ['The bit at the end made me laugh out loud.', 'It was going to be the title.'],
  ['More like this, please!'],
  ['Exactly the numbers I was missing.', 'Let me know how it goes.'],
]
