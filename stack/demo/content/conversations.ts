import type { ReactionEmoji } from '../../../supabase/functions/_shared/contract/message.ts'

/**
 * A conversation between two users. In `lines`, `>` starts a message from the first user and `<` one from the second.
 * `-- 9h` (or `40m`, `2d`) is a pause. Any other line continues the previous message.
 */
export interface ConversationText {
  between: [first: string, second: string]
  /** Hours since the last message. */
  ended: number
  /** How many of the last messages, all from one sender, are unread. Defaults to 0. */
  unread?: number
  lines: string
}

/** The message that new subscribers of noormakes get. */
export const noorsWelcomeMessage =
  'Welcome to the studio, and thank you! You see every firing first, including what cracks. If there’s a pot you’d like me to make on video, tell me here.'

export const conversationTexts: ConversationText[] = [
  {
    between: ['marisolq', 'noormakes'],
    ended: 1.2,
    unread: 3,
    lines: `
< ${noorsWelcomeMessage}
-- 237d
> Hi Noor! Silly question: is the mug with the thumb dent coming back? Asking for my thumb
< Ha. It’s not silly. I make them left- and right-handed, which are you?
> RIGHT. wait. do people know that about their mugs?
< They find out when they get the wrong one
> I’ve had the wrong mug my whole life
-- 3h
< I can put one aside from the next firing. White or the green that isn’t hospital?
> the green that isn’t hospital, I see enough of the other one
> I’m a nurse, by the way
< Then it definitely can’t be celadon number 7
> 😂 I saw that post and felt personally attacked
-- 2d
< Yours is out of the kiln. Small iron speck next to the handle, do you mind? I can’t promise it’s not charming
> I’d like the speck please
< Good answer
< Address?
> sending you my sister’s, she’s home when normal people are home
-- 4d
> IT ARRIVED
> it fits
> I’m drinking soup out of it at 5 in the morning and I feel like a duchess
< Soup! You’re the third person this month. I should call it the soup mug
> you should charge extra for the soup
< Put it upside down on a towel the first few times, the foot’s still a bit thirsty
> yes chef
-- 12d
> is it normal that it makes a tiny ting when I pour hot tea in
< How tiny? Once or every time?
> once, a small one, like someone clearing their throat
< That’s the glaze settling. Happens when glaze and clay don’t shrink quite the same. Hold it up to a lamp: do you see fine lines?
> hmm. three? like hair
< Then it’s crazing a bit. Safe, but it’ll stain along the lines with tea. I’d rather replace it
> no no no
> it’s MINE now. it can have wrinkles, we all have wrinkles
< 😄 Fine, but the next one’s on me. I changed that glaze since then
> you’re a terrible businesswoman
< My accountant says the same thing, with more numbers
-- 20d
> your open studio, is it only for people in Marseille or can a person from Lisbon stand there awkwardly too
< Awkward people get tea first. Are you serious?
> I have three days off in a row, which hasn’t happened since the invention of days
< Come! I’ll keep a wheel free. You can make the wobbly bowl
> the LEGENDARY wobbly bowl
> ok I’m looking at flights
-- 5h
> booked. I land at noon. I’ll be the one who’s asleep standing up
< Take the tram to the end and follow the smell of wet basement
-- 9d
> back home. I’ve slept for eleven hours. my arms hurt in places where I didn’t know that I had arms
< That’s the centring. You did well! Most people lose the bowl at the rim and yours only lost its dignity
> my bowl is perfect and you will not speak of it like that
< It’s drying on the top shelf next to my grandmother. She approves
> did it survive the first firing??
< Ask me tomorrow
-- 1d
> it’s tomorrow
< It survived. Now you have to choose the glaze. You get one chance, and you’ll regret it either way
> birch ash. I want the runny honey one
< Brave. It could glue itself to the shelf
> then it lives on the shelf
< OK. It goes in with the noodle bowls
< While you wait: birch ash on the test bowl, the one I keep behind the kiln
-- 30h
< Opening the kiln now. I’m filming with one hand, don’t expect art
< Marisol. Look at it. It’s gone silver at the rim exactly where you squeezed too hard
-- 2h
< The rest of the kiln, shelf by shelf. You’ll recognise the one I’m never selling`,
  },
  {
    between: ['marisolq', 'kavyalooksup'],
    ended: 5.5,
    unread: 1,
    lines: `
> Hello! I saw a very bright thing in the east at 5:20 from the ambulance bay. It did not move. Colleague says drone, I say no
< Good instincts. Steady, not twinkling?
> like a nail in a wall
< Jupiter! Say hello from me
> I’ve told the whole ward. the surgeon came out in his clogs
< Best kind of outreach there is. Do you have binoculars anywhere?
> security has some. for reasons
< Borrow them, lean your elbows on the ambulance, look for up to four little dots in a line next to it
-- 23h
> THREE DOTS
> three dots in a line!!! what are they
< Moons. The fourth one was probably behind or in front. Galileo saw the same thing and it got him into a great deal of trouble
> I’m in trouble as well, I was gone for nine minutes
< Tell them it was research
-- 6d
> they’ve moved. the dots. they’ve all moved
< Io goes round in less than two days. Draw them every night you work and you’ll have done the real observation yourself
> the security guard is drawing them too now. his are better
< I’d love to see them
-- 2d
< There’s a nice one for you: Moon and Jupiter close together, low in the east before your shift ends. No binoculars needed, only a gap in the buildings`,
  },
  {
    between: ['marisolq', 'rosalbabakes'],
    ended: 26,
    lines: `
> Signora Conti, I think my starter is dead. It smells like nail polish
< Rosalba. And she isn’t dead, she’s hungry. Nail polish is hunger
> I feel terrible
< Good. Feed her. One spoon of her, two of flour, two of water. Morning and evening
> I sleep in the morning
< And I sleep in the evening. Feed her when YOU wake up. She can’t read a clock
-- 3d
> one bubble
< One?
> one
< Warmer. On top of the fridge
-- 2d
> so many bubbles. it climbed out. it’s on the fridge, and down the fridge
< Now you’re a mother
> I baked it and it’s a brick
< Photograph from the side
> I’m ashamed
< I’ve baked bricks since before you were born. Did it double before you baked it?
> define double
< …
< Tomorrow you wait. You wait until you think “this is too long”, and then one hour more
-- 19h
< Mine, from this morning. Knock on the bottom: it should sound like a small door
> I want to live behind that door
< First you feed her`,
  },
  {
    between: ['marisolq', 'gwen_t'],
    ended: 60,
    lines: `
< Your loaf!! From brick to THAT in two weeks?
> I waited until it was too long and then an hour
< She told me the same. Word for word
> is she scary in real life too
< I’ve only ever had voice messages and yes
> my 4 am is your afternoon, so if you ever want company while you sew spines together
< I’d like that. The workshop is very quiet, and today’s patient is a 1911 atlas with half of Africa missing
> I had a patient like that
< 😆`,
  },
  {
    between: ['marisolq', 'walter_f'],
    ended: 7.2,
    unread: 3,
    lines: `
< Hello Marisol. This is Walter. I hope it is all right to write. Beth showed me how
> of course Walter! how’s Gerald’s successor?
< I have named him Gerald II. He is slower but I think more thoughtful
> that’s how it goes with second children
< You are a nurse. May I ask you something
> always
< My doctor gave me new pills and now I am dizzy when I get out of bed. Is that a thing
> it can be, some lower your blood pressure. sit on the edge of the bed for two minutes before you stand. and please call your doctor’s office today and tell them exactly that. today, not after the weekend, ok?
< I did not want to bother them
> Walter. bothering them is their favourite part. call
-- 26h
< I called. They are changing it. The lady said I did right to call
> I’m so glad. two minutes on the edge of the bed anyway
< Yes ma’am. I use the time to plan my day
-- 3d
< I want you to know I am not dizzy any more
< Also Beth says I may send you a picture of Gerald II when that is possible here
< He has a flower`,
  },
  {
    between: ['marisolq', 'delroy_keys'],
    ended: 96,
    lines: `
> Your stairwell tune has been through about forty night shifts. I thought you should know that it works
< That’s the loveliest thing anyone’s said about it. What does it work ON?
> paperwork, mainly. and one frightened gentleman who asked what was playing, and then slept
< Well now you’ve got me. I’ll tell Joaquín, he’ll pretend he has something in his eye
> is there a long version
< There’s a fourteen-minute one where the drummer gets lost. I’ll ask him if he minds`,
  },
  {
    between: ['cal_r', 'marisolq'],
    ended: 780,
    lines: `
> hey, saw you like the surf posts
< Hi! I think I liked one, yes, nice picture
> you around later
< I work nights, so no
> you can’t work every night
< I can and I do. Have a good one
> don’t be like that
< I’d rather not chat, thanks. Take care`,
  },
  {
    between: ['noormakes', 'linheats'],
    ended: 3.1,
    unread: 2,
    lines: `
< Noor I need sixteen bowls and I need them to be afraid of nothing
> Hello Linh, I’m well, thank you, and you
< HELLO. sorry. pop-up. two nights. forty seats. panic
> How big?
< Two hands. Deep. Heavy. When you put it down, the table should know
> I love this. Budget?
< My uncle’s face when I tell him the price
> So, friends’ price plus shipping
< You’re an angel with a kiln
-- 1d
> Drawing: 18 cm across, 9 deep, a foot you can hook your fingers under when it’s hot. Yes?
< the FOOT
< yes. Yes to the foot
> Colour? Please don’t say white
< What goes with turmeric and charcoal
> Dark. Iron, nearly black, breaking to rust on the rim
< I’d like to eat the drawing
-- 8d
> First four are thrown. I stood on one. For you
< you STOOD on it
> It’s fine. I’m not sure about my knee
-- 6d
> All sixteen through the biscuit. One has a slightly smug expression
< That one’s for my uncle
-- 5d
> Glazed, fired, out. Boxed tonight. Two boxes each, shaken
< I heard about the plates of Matera. I trust the shaking
-- 7d
< They’re here. He knocked on one. Twice. Then he NODDED
> I’m going to sit down
< First night sold out. Come. I mean it, I’ll put you on a stool
> I have a class of eight with ugly bowls waiting for me. Send pictures
-- 2d
< Second night sold out as well. A woman asked where the bowls come from and whether you’d make thirty for her place in Hội An
< I said I’d ask. I’m asking. She’s serious, she measured one with her hand`,
  },
  {
    between: ['noormakes', 'rosalbabakes'],
    ended: 31,
    lines: `
< Noor, good morning. It’s the baker
> Good morning! It’s 3:50
< Yes. I need sixty plates
> …Good morning
< The colour of crust. But not brown
> Crust IS brown, Rosalba
< You’re a potter and I’m telling you it’s not
-- 6h
> I’ve had coffee. Do you mean the gold bit just under the ear, where it lifted?
< YES
> That I can try. Send me a loaf, I’ll need a reference
< It’s already in the post
-- 5d
> The loaf arrived. I’ve eaten the reference
< I’ll send two
-- 14d
> Attempts 1 to 4 on the way, numbered on the back. Be honest
-- 6d
< 1 is mud. 2 is mud with money. 3 no. 4, come closer
> “mud with money” is going on the glaze label
-- 18d
> Number 9. Call me when you’ve opened it
-- 3d
< I opened it on the counter with Signora Lucrezia watching. She touched it and said “pane”
> Now I’m crying in a printing workshop
< Sixty. Please. And one more for her
-- 40d
< They’ve all arrived. Not one chip. The apprentice has been told that if she drops one she may as well keep walking
> Poor girl! Tell her number 61 is for her to drop
< Your 20 kilos of flour are on the way. Don’t argue`,
  },
  {
    between: ['noormakes', 'paloma_x'],
    ended: 8.5,
    unread: 1,
    lines: `
< Hola Noor. I’m Paloma, I’m an apprentice in Oaxaca, I’m 34, and I can’t centre. Is it too late
> I started at 22 and I couldn’t centre for a year. Where does it go wrong, at the beginning or when you open it?
< at the beginning. It wins
> How much clay?
< two kilos
> Use 500 grams. Two kilos would beat most people. And lock your left elbow into your hip, so that it’s bone against bone, not muscle
-- 2d
< 500 GRAMS
< It stood still. It actually stood still
> Now do that forty times before you go up to 600
< my teacher looked over and said “ah”
> “Ah” is very high praise in this trade
-- 30d
< We only have pine ash here, from my uncle’s bakery. Would your recipe work or will it eat the shelf
> Pine usually has more silica and less calcium. Start with 45 instead of 40, wash it twice, and test on something you don’t love
< I don’t love any of it yet
> Perfect
-- 11d
< It came out green. Like the inside of a wave. She held it for such a long time
> I’ve just said something out loud in Arabic that I can’t translate. SHOW everyone
-- 25d
< She’s offered me a place. A proper one, with pay. I wanted you to be the third to know, after my mother and the dog`,
  },
  {
    between: ['noormakes', 'astrid_wood'],
    ended: 140,
    lines: `
> Hi Astrid, odd request: do you have birch offcuts without any glue or finish on them? I’d like to burn them
< I spend my life trying not to burn birch. How much?
> A box? I only want the ash
< You’ll get very little ash from a box. A box is maybe 200 grams
> Enough for forty test tiles
< Then you’ll get two boxes, and I want a tile
> You’ll get a bowl
-- 16d
< It’s on its way. Written on the box: “failed cabinet”
> It’ll have a much better second life, I promise
-- 33d
< The bowl is here. I keep keys in it and I pick the keys up just so I can look inside
> That’s what it’s for`,
  },
  {
    between: ['noormakes', 'samira'],
    ended: 210,
    lines: `
< Hi Noor, Samira from the team. Somebody is using your jar picture on another account and selling “originals”. We’ve taken it down. I wanted you to hear it from a person
> Oh. Thank you. How did you find it?
< Three of your followers wrote in within ten minutes. One of them was quite poetic about it
> Was it Gwen?
< I couldn’t possibly say. She used the word “scoundrel”`,
  },
  {
    between: ['noormakes', 'yara_s'],
    ended: 52,
    lines: `
< I said no more bowls
> I know. I read it
< is the rust one still there
> I put it behind the door when I read your post
< you know me too well, I hate it. Card or transfer?
> Either. It’ll go out on the next truck
< My shelf is at its limit. I’m moving the books`,
  },
  {
    between: ['tomaszruns', 'grzegorz'],
    ended: 18,
    lines: `
> Tomorrow at 6, quarry loop?
< Wind at 6. Make it 8
> 8 is late
< 8 is alive
> …8
< Bring the orange shoes so I can find you
-- 15h
> Knees?
< Knees fine. Pride a bit swollen. You were breathing through your nose on the last climb, I saw it
> I was admiring the view
< With your eyes shut`,
  },
  {
    between: ['tomaszruns', 'wanjiru_k'],
    ended: 44,
    lines: `
< Tomasz, you got me into the parking building and I’ve a question. My calves on day two. Is that normal?
> Both sides the same, and better once you’re warm?
< yes and yes
> Then it’s normal. One side, or sharp, or worse as you go: stop and see somebody
< Understood. How many floors should I be up to by race week?
> Floors don’t matter. Come down slowly, that’s where the strength comes from. Twice a week, and stop ten days before
< the guard runs with me now, he’s in better shape than I am
-- 16d
< 4:38!!!
> I’ve watched your splits on the tracker all morning between patients. What happened at 34?
< Life. Regret. A banana
> And at 41?
< My mother was standing there with a sign. It said WALK IF YOU WANT
> I’m not crying, I’m in a clinic
< Next one in the mountains?
> Now you’re talking`,
  },
  {
    between: ['delroy_keys', 'joaquin_r'],
    ended: 75,
    lines: `
< Hello sir. I play bass in Montevideo and I have put something on a phone in a stairwell. It’s probably nothing
> Send it. Nothing is my favourite
-- 40m
> How many takes was that?
< One. The neighbour came out
> Don’t do another one. I’ve got chords under it already. Do you mind it going to the flat six in bar nine?
< I’d be honoured to be taken to the flat six
-- 2d
> Have a listen. Fridge off and everything
< I’m in the lift at work. I’m holding the doors. People are very angry
< It’s beautiful
> It wants a trumpet, doesn’t it
< It wants a trumpet`,
  },
  {
    between: ['delroy_keys', 'malik_j'],
    ended: 4,
    lines: `
> Malik. Stairwell tune. Eight bars after the second chorus, whatever you’d say to somebody who’s leaving
< Gimme a day
-- 20h
< Recorded it in the parking structure. You’ll hear a car. I left the car in
> The car’s perfect. It’s in time
-- 30d
< So I’ve got ten days off. Does the Lantern have a couch
> The Lantern has Tuesdays. I’ve got a couch
< Booked. What do I wear in Birmingham
> Something you don’t mind being rained on, and one good shirt
< Set list?
> Ballads till they stop talking. Then whatever we like
< that’s the whole job, isn’t it
-- 3d
> Picked you up a mute, in case you left yours at home again
< I left it at home again`,
  },
  {
    between: ['linheats', 'meilin_c'],
    ended: 110,
    lines: `
> I land at 9. How many stalls before I may lie down?
< Nine
> I meant o’clock
< I meant stalls
> This is why I love you
< Wear something with an elastic waist, bring cash, no perfume. We start with the lorbak while he’s in a good mood
> When’s he in a good mood?
< 9:40 to 10:05
-- 4d
> Home. Alive. My mother says my face is rounder
< Tell her thank you`,
  },
  {
    between: ['minh_d', 'linheats'],
    ended: 22,
    unread: 1,
    lines: `
> Hi Linh! Line cook, Houston. My bánh xèo tear every time, and my grandmother has started to sigh
< How hot’s the pan?
> smoking
< Too hot for the first ten seconds, too cold afterwards. Swirl, lid on, count to fifteen, lid OFF and then be brave
> lid off. I never took the lid off
< The steam makes it tender, and then it has to leave. Auntie Sáu says, “like a guest”
-- 27h
> LACE. There was lace. Grandmother didn’t sigh, she asked for another one and then said nothing at all, which is a first since 1998`,
  },
  {
    between: ['nachofilm', 'emre_y'],
    ended: 35,
    lines: `
> Hermano. Your roll came. Did you mark the first frame with the notch up?
< Notch up, pen line on the leader. Like we said
> Then I shoot over it tomorrow, don’t tell me anything about what’s on it
< I won’t. Only: frame 14
> NO
< I’ve said nothing
-- 12d
> Negatives are hanging in the shower
< And? 14?
> There’s a tram in my mother’s kitchen. It’s coming out of the oven. She’s stirring
< Allah
> Sending you half the prints. You’ll get the oven
< My aunt wants to know which district that is`,
  },
  {
    between: ['kavyalooksup', 'tala_v'],
    ended: 12,
    lines: `
< Ms Kavya, my thesis adviser says I should choose between observation and theory. Is that true?
> Which one do you think about when the lecture’s boring?
< observation
> Then you’ve chosen. Learn the theory anyway, it tells you where to look
< Can I say that to him?
> You may say an old lady on a roof told you
< you’re not old!
> Ask my knees after an occultation
-- 9d
< He laughed and said the old lady’s right. I’ve got telescope time!! Two nights!!
> Tala! Write down everything, especially what goes wrong
< It’ll be cloudy, won’t it
> Almost certainly. Take samosas`,
  },
  {
    between: ['chiamaka_sews', 'carmen_o'],
    ended: 88,
    lines: `
> Señora Carmen, good afternoon. I read what you wrote about sleeves three times. May I ask how you find the balance point without marking it?
< Hija, hang the sleeve from one finger at the top of the cap. Where it hangs straight, there it wants to be. Pin. Done
> That’s… it?
< And forty years
> I tried it. It hung straight. I nearly shouted
< You should shout, it’s good for the back
-- 5d
> My whole workshop does it now. They call it “the Carmen”
< I’ve told my son. He’s asked if there’s money in it. He’s like his father`,
  },
  {
    between: ['deepa_s', 'chiamaka_sews'],
    ended: 130,
    lines: `
> Sleeves are in!! The left one puckers a bit at the back
< Photo? No, wait, describe it: little folds pointing to the shoulder or to the elbow?
> shoulder
< Too much ease at the back. Unpick 4 cm either side, shift it forward by a finger’s width, steam it before you sew
> done. It’s GONE. You’re a witch
< I’m a pattern cutter. Same thing, better lighting`,
  },
  {
    between: ['ailsa_m', 'plot17'],
    ended: 1150,
    lines: `
> Hamish, is it right that you were mate on the old Columba?
< Eleven years. Why, has she finally sunk?
> She’s a floating restaurant now. In Greece
< Dear God. Is she well?
> They’ve painted her yellow
< I’ll need a minute
> I’m sorry. I thought that you’d want to know
< I did. Yellow, though`,
  },
  {
    between: ['mateus_wrench', 'moses_l'],
    ended: 15,
    lines: `
< Good morning, teacher. The wheel goes left and also goes up. Which first?
> Up first. Round before straight. And only quarter turns
< quarter turns
> And loosen the one opposite before you tighten, else the spoke winds like a spring
-- 3h
< Round. 1 mm. Now straight?
> Now straight. Put a cable tie on the stand as a pointer, listen to it scratch
< it scratches only in one place now
> That’s your half millimetre. Stop! Stop while it’s good
< I stopped. I’m looking at it
-- 7d
< Customer number 20 today. Mangoes
> You’re a shop now, Moses
< I need a sign
> Ask Yara here, she redraws one letter for six hours`,
  },
  {
    between: ['hugo_b', 'mateus_wrench'],
    ended: 260,
    lines: `
> Hello, you don’t know me, there’s a noise. I’ve recorded it with a child singing over it, sorry
< Mudguard stay, left, at the back. Bend it out by 3 mm
> you heard that THROUGH the singing?
< The singing was in tune, so it was easy`,
  },
  {
    between: ['yuki_ink', 'gwen_t'],
    ended: 66,
    lines: `
< Dear Yuki, your bridges are on my bench, I’ve ironed nothing and breathed little. Accordion with the seam in the gutter, or hidden?
> Hidden, please. A bridge shouldn’t have a scar.
< Agreed. The cover: grey cloth, or the indigo you once drew a fish on?
> There’s a fish?
< On the back of number 22. Very small
> I forgot the fish. The indigo, then.
-- 13d
< Posted today. Insured for a silly sum. I can’t stop thinking about 19
> Because of the second bridge?
< Because of the second bridge`,
  },
  {
    between: ['noemi_f', 'ailsa_m'],
    ended: 300,
    lines: `
> Bonjour, I was told to write to you. I’m the idiot with the cello
< You’re the reason that I’ve had the best day of the month. How do you forget a cello?
> I was carrying so many bags that I counted to five and the cello was six
< She’s in the purser’s cabin, warm, with a lifejacket on
> with a LIFEJACKET
< Rules are rules
> I’ll be there for the 14:10. May I play something for the crew?
< Car deck. Best acoustics in the fleet`,
  },
  {
    between: ['samira', 'walter_f'],
    ended: 29,
    lines: `
< Hello this is Walter. I pressed something and now it is all black
> Hello Walter! I think you found dark mode. Settings, Appearance, Light
< It is light again. I kind of miss the black
> You can have it back any time
< I will keep it for evenings`,
  },
  {
    between: ['joaquin_r', 'rafael_dm'],
    ended: 19,
    lines: `
> Rafa, is it true that you hear the fridge
< It was off. I can hear where it had been`,
  },
]

/** Details of one message in a conversation: a reply, reactions, a picture, a linked post, an edit or a deletion. */
export interface MessageDetails {
  between: [first: string, second: string]
  /** The start of the message's text, unique in the conversation. */
  begins: string
  /** The start of the earlier message that this one replies to. */
  repliesTo?: string
  reactions?: [username: string, emoji: ReactionEmoji][]
  /** The message has a picture of its sender's theme. */
  hasPicture?: true
  /** The price of the picture in US dollars. The receiver has not unlocked it. */
  price?: number
  /** The post that the message links to: the name from which `idOf` derives the post's id. */
  post?: string
  became?: 'edited' | 'deleted'
}

const noor: MessageDetails['between'] = ['marisolq', 'noormakes']
const kavya: MessageDetails['between'] = ['marisolq', 'kavyalooksup']
const rosalba: MessageDetails['between'] = ['marisolq', 'rosalbabakes']
const walter: MessageDetails['between'] = ['marisolq', 'walter_f']
const linh: MessageDetails['between'] = ['noormakes', 'linheats']
const paloma: MessageDetails['between'] = ['noormakes', 'paloma_x']

export const messageDetails: MessageDetails[] = [
  { between: noor, begins: 'IT ARRIVED', reactions: [['noormakes', '❤️']] },
  {
    between: noor,
    begins: 'I’m drinking soup out of it',
    reactions: [
      ['noormakes', '😂'],
      ['noormakes', '👏'],
    ],
  },
  { between: noor, begins: 'Then it’s crazing a bit', became: 'edited' },
  {
    between: noor,
    begins: 'it’s MINE now',
    repliesTo: 'Then it’s crazing a bit',
    reactions: [['noormakes', '😂']],
  },
  { between: noor, begins: 'booked. I land at noon', reactions: [['noormakes', '🔥']] },
  { between: noor, begins: 'Brave. It could glue itself', repliesTo: 'birch ash.' },
  { between: noor, begins: 'OK. It goes in', reactions: [['marisolq', '😂']] },
  { between: noor, begins: 'While you wait: birch ash', hasPicture: true, price: 5 },
  { between: noor, begins: 'Marisol. Look at it', hasPicture: true },
  { between: noor, begins: 'The rest of the kiln', post: 'noormakes paid 0.12' },
  { between: kavya, begins: 'Jupiter! Say hello', reactions: [['marisolq', '😮']] },
  { between: kavya, begins: 'THREE DOTS', reactions: [['kavyalooksup', '👏']] },
  { between: kavya, begins: 'I’d love to see them', repliesTo: 'the security guard is drawing' },
  { between: kavya, begins: 'There’s a nice one for you', hasPicture: true },
  { between: rosalba, begins: 'I’m ashamed', became: 'deleted' },
  { between: rosalba, begins: 'Now you’re a mother', reactions: [['marisolq', '❤️']] },
  { between: rosalba, begins: 'Mine, from this morning', hasPicture: true, reactions: [['marisolq', '😮']] },
  { between: walter, begins: 'I called. They are changing it', reactions: [['marisolq', '👏']] },
  { between: walter, begins: 'Yes ma’am', reactions: [['marisolq', '😂']] },
  {
    between: linh,
    begins: 'They’re here. He knocked',
    reactions: [
      ['noormakes', '❤️'],
      ['linheats', '🔥'],
    ],
  },
  { between: linh, begins: 'That one’s for my uncle', repliesTo: 'All sixteen through the biscuit' },
  { between: paloma, begins: 'It stood still', reactions: [['noormakes', '👏']] },
]
