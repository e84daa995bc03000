/** What Delroy wrote, oldest first. */
export const jazz: string[] = [
  'Evening all. Delroy, piano, Birmingham. I play Tuesdays at the Lantern and teach the rest of the week. Ask me anything except “can you play something we know”.',
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
]
