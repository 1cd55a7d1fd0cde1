// Texts that show how something is said: formally or not, of which time, and to what end.

export const FORMAL: readonly string[] = [
  'Dear Sir or Madam, I am writing to ask about the {product}.',
  'We regret to inform you that order {order} has been delayed.',
  'I would be grateful if you could send me an offer by {date}.',
  'Please accept our apologies for the inconvenience.',
  'We kindly request that you pay the sum of {amount}.',
  'It would be a pleasure to welcome you in {city}.',
  'Would you be so kind as to confirm the appointment at {time}?',
  'Please do not hesitate to contact {name}.',
  'I hereby confirm that I have received the {item}.',
  'On behalf of {company}, I thank you for your trust.',
  'We look forward to receiving your reply.',
  'May I ask you to forward this to {name}?',
  'Guests are kindly asked to leave the room by {time}.',
  'We would appreciate your presence at the ceremony on {date}.',
];

export const INFORMAL: readonly string[] = [
  'hey, got the {item} yet?',
  'lol, {name} forgot the keys again',
  'wanna grab a bite at {time}?',
  'thx for the {item}, you rock!',
  'gonna be late, sorry!',
  "what's up, {name}?",
  'yo, are you coming to {city} or what?',
  "can't wait to see you guys!",
  "nah, I'm good, keep the {amount}",
  'omg the {product} is so cool',
  'pick me up at {time}, ok?',
  'dude, where is my {item}?',
  'btw {name} says hi',
  'cool, see ya on {date}!',
];

export const PAST: readonly string[] = [
  '{name} bought a {item} in {city}.',
  'We walked along the river and saw {count} boats.',
  'She paid {amount} and went home.',
  'They opened the shop at {time} yesterday.',
  '{name} wrote a letter to {company}.',
  'I lost my {item} last week.',
  'He lived in {city} when he was a child.',
  'The train left at {time}, and we missed it.',
  'My sister sang and my father played the piano.',
  '{company} sold {count} of them last year.',
  'It rained all day, so we stayed at home.',
  'The {product} stopped after an hour.',
  'Last summer {name} worked on a farm.',
];

export const PRESENT: readonly string[] = [
  '{name} is looking for a {item} right now.',
  'Every day we walk along the river.',
  'She works for {company} and likes it.',
  'The shop always opens at {time}.',
  'I am writing a letter to {name}.',
  'They live in {city} now.',
  'He sings in the bath every morning.',
  'The {product} is making a strange noise.',
  'My sister plays the piano very well.',
  '{company} sells lamps and chairs.',
  'At the moment it is raining in {city}.',
  'The baby is asleep, and the dog is eating.',
  '{name} knows the way.',
];

export const FUTURE: readonly string[] = [
  '{name} will buy a {item} tomorrow.',
  'We are going to walk along the river next Sunday.',
  'She will pay {amount} next week.',
  'They will open the shop at {time} tomorrow.',
  'I am going to write to {company} soon.',
  'Next year he will live in {city}.',
  'It is going to rain tonight.',
  '{name} will be here in a minute.',
  'The train will leave at {time}.',
  'My sister is going to learn the piano one day.',
  '{company} will sell {count} of them next year.',
  'Soon the {product} will cost less.',
  'Tomorrow we will know more.',
];

export const ASKING: readonly string[] = [
  'Where did you buy the {item}?',
  'When does the shop in {city} open?',
  'How much is the {product}?',
  'Is {name} at home?',
  'Which bus goes to {city}?',
  'Do you have a {item} for me?',
  'Who works at {company}?',
  'Why was order {order} sent back?',
  'What time is it in {city} now?',
  'Can {name} swim?',
  'Are there {count} chairs in the room?',
  'Did it rain on {date}?',
];

export const TELLING: readonly string[] = [
  'Bring the {item} to {name}.',
  'Close the door at {time}.',
  'Send order {order} to {city}.',
  'Do not touch the {product}.',
  'Call {name} before {date}.',
  'Put {count} chairs into the room.',
  'Turn off the {product} when you leave.',
  'Pay {amount} at the desk.',
  'Wait here for {name}.',
  'Write your name on the {item}.',
  'Take the bus to {city}.',
  'Tell {company} about the mistake.',
];

export const THANKING: readonly string[] = [
  'Thank you so much for the {item}!',
  'Thanks for your help, {name}.',
  'Many thanks for the lovely days in {city}.',
  'I thank you for the quick answer about order {order}.',
  'Thank you all for coming on {date}.',
  'We are very thankful for the {amount} that you gave us.',
  'Thanks a lot for lending me the {item}.',
  '{name}, thank you for the flowers.',
  'A big thank-you to everyone at {company}.',
  'How kind of you to help me with the {product}, thank you!',
  'My thanks go to {name}, who stayed until {time}.',
  'Thanks for telling me about the shop in {city}.',
];

export const APOLOGIZING: readonly string[] = [
  'I am sorry that I broke your {item}.',
  'Sorry, {name}, I forgot your birthday.',
  'We are sorry for the trouble with order {order}.',
  'Please forgive me for being late.',
  'I apologize for the mistake of {date}.',
  'Sorry that we did not come to {city}.',
  'It was my fault, {name}, and I am sorry.',
  'We apologize that the {product} was not ready.',
  'I am so sorry about the noise last night.',
  'Sorry for the wrong bill of {amount}.',
  'Please excuse me, I did not see your {item} there.',
  'My apologies to everyone at {company}.',
];
