// What is said in an office or a shop, in three tones.

/** `plain | casual | formal | friendly` */
export const STATEMENTS = [
  "I cannot come to the meeting on {date}. | Can't make it to the meeting on {date}, sorry. | I regret that I cannot attend the meeting on {date}. | I am so sorry, but I cannot come to the meeting on {date}!",
  "I am late. | I'm running late. | I apologize for the delay. | Sorry, I will be a little late!",
  'Your order {order} is late. | Your stuff ({order}) is late. | We regret to inform you that your order {order} is delayed. | We are so sorry, your order {order} is taking a little longer!',
  'We got your mail of {date}. | Got your mail from {date}. | We confirm receipt of your mail of {date}. | Thank you so much for your mail of {date}!',
  'We do not sell {product}. | Nope, no {product} here. | We regret that we do not offer {product}. | Sorry, we do not have {product} at the moment!',
  'The price of {product} is {amount}. | {product} is {amount}. | The price of {product} amounts to {amount}. | Good news: you can get {product} for just {amount}!',
  'I do not know. | No idea. | I am afraid that I do not have this information. | Good question, but I do not know, sorry!',
  'Thank you for the {noun}. | Thanks for the {noun}. | I would like to thank you for the {noun}. | Thank you so much for the lovely {noun}!',
  "We will answer tomorrow. | We'll get back to you tomorrow. | You will receive our answer tomorrow. | We will write to you tomorrow, promise!",
  "The shop is closed on {date}. | We're shut on {date}. | Please note that our shop will be closed on {date}. | Just so you know, our shop takes a day off on {date}!",
  "{name} is not in the office today. | {name} isn't in today. | {name} is not available today. | {name} is out today, but we are happy to help you!",
  'You must pay {amount}. | You owe us {amount}. | We kindly ask you to pay the amount of {amount}. | Could you send us the {amount} when you have a moment?',
  'I want my money back. | Give me my cash back. | I request a full refund. | It would be great if I could get my money back!',
  'The {noun} is broken. | The {noun} is bust. | Please be informed that the {noun} is damaged. | Oh no, it looks like the {noun} is broken!',
  'We have no time on {date}. | {date}? No chance. | We are unfortunately not available on {date}. | We would love to, but we have no time on {date}!',
  'Your mistake cost us {amount}. | You messed up and it cost us {amount}. | This error has caused costs of {amount}. | No worries, but the little mistake cost us {amount}!',
  "Welcome to {company}. | Hey, you're at {company} now. | We are pleased to welcome you to {company}. | A warm welcome to {company}, we are so happy to have you!",
  'I like your idea. | Cool idea. | I consider your proposal to be very good. | What a wonderful idea, I love it!',
  'I do not agree. | No way. | I am unable to agree to this. | I see what you mean, but I do not quite agree!',
  "The meeting is at {time}. | Meeting's at {time}. | The meeting will take place at {time}. | See you all at {time} for our meeting!",
  'Your form is not complete. | You forgot some stuff on the form. | Your form is unfortunately incomplete. | Almost there, there is just a little missing on your form!',
  "{name} will help you. | {name}'ll sort you out. | {name} will assist you in this matter. | {name} will be more than happy to help you!",
  'We sent {product} on {date}. | {product} went out on {date}. | We hereby confirm that {product} was dispatched on {date}. | Great news, {product} has been on its way to you since {date}!',
  "I am sick and stay at home. | I'm ill, staying home. | Due to illness I am unable to come to work. | I am not feeling well, so I will stay at home, see you soon!",
  'I forgot the {noun}. | Oops, forgot the {noun}. | I apologize for having forgotten the {noun}. | Oh dear, I am so sorry that I forgot the {noun}!',
  "The train to {city} is full. | Train to {city}'s packed. | There are no seats available on the train to {city}. | Sorry, the train to {city} is full, but we will find you another one!",
];

export type Tone = 'plain' | 'formal' | 'friendly';

export const TONES: Readonly<Record<Tone, readonly string[]>> = {
  plain: [
    'Say this in plain words.',
    'Write it in simple English.',
    'Make this simple.',
    'Say it without any tone.',
    'Rewrite this in plain English.',
    'Write this so that everybody understands it.',
    'Use simple words.',
    'Make it neutral and plain.',
    'Put this in easy words.',
  ],
  formal: [
    'Make the statement formal.',
    'Write this formally.',
    'Use formal English.',
    'How would a bank write this?',
    'Rewrite this for a formal letter.',
    'Make it sound official.',
    'Put this in formal words.',
    'Say this in the style of a business letter.',
    'Write the formal version.',
  ],
  friendly: [
    'Make the statement friendly.',
    'Write this in a warm tone.',
    'Use a friendly tone.',
    'How would a friend write this?',
    'Rewrite this so that it sounds kind.',
    'Make it sound warm.',
    'Put this in friendly words.',
    'Say this with a smile.',
    'Write the friendly version.',
  ],
};
