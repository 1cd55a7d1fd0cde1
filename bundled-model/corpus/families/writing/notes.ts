// Notes and short letters from one person to another.
import type { Intent } from '../../intent.js';

const thankYou: Intent = {
  asks: [
    'Write a thank-you note to {name} for {gift}.',
    'Write a short thank-you note to {name} for {gift}.',
    'Help me thank {name} for {gift}.',
    'I want to thank {name} for {gift}.',
    'Write a note to {name}. Say thank you for {gift}.',
    'Can you write a thank-you card to {name} for {gift}?',
    'Thank {name} for {gift}.',
    'Write to {name} and say thanks for {gift}.',
    'I need a thank-you letter to {name} for {gift}.',
    'Write a thank-you note from {sender} to {name} for {gift}.',
    'My name is {sender}. Write a note to {name} to say thank you for {gift}.',
    'I am {sender}. Help me thank {name} for {gift}.',
    'Thank {name} for {gift} and sign as {sender}.',
    'Please write a few words of thanks to {name} for {gift}.',
  ],
  answers: [
    'Dear {name},\nThank you very much for {gift}. You are very kind.\nBest wishes',
    'Dear {name},\nThank you for {gift}. It made my day.\nBest wishes',
    'Dear {name},\nThank you for {gift}. It made my day.\nBest wishes,\n{sender}',
    'Dear {name},\nThank you very much for {gift}. You are very kind.\nBest wishes,\n{sender}',
  ],
};

const apology: Intent = {
  asks: [
    'Write an apology to {name} because I missed {event}.',
    'Say sorry to {name} because I was late for {event}.',
    'I forgot {event}. Write an apology to {name}.',
    'I cannot come to {event}. Write an apology to {name}.',
    'Help me say sorry to {name} about {event}.',
    'Write a short note to {name} to say sorry about {event}.',
    'I need an apology to {name} about {event}.',
    'I missed {event}. What can I write to {name}?',
    'Write to {name} that I am sorry about {event}.',
    'I am {sender} and missed {event}. Write an apology to {name}.',
    'Write an apology from {sender} to {name} about {event}.',
  ],
  answers: [
    'Dear {name},\nI am very sorry about {event}. I hope that you are not angry.\nBest wishes',
    'Dear {name},\nI am very sorry about {event}. I hope that you are not angry.\nBest wishes,\n{sender}',
  ],
};

const invitation: Intent = {
  asks: [
    'Invite {name} to {event} on {date}.',
    'Write an invitation to {name} for {event} on {date}.',
    'I want to invite {name} to {event}.',
    'Write a short invitation to {event} on {date} for {name}.',
    'Ask {name} to come to {event} on {date} at {time}.',
    'Help me invite {name} to {event} at {time}.',
    'Write to {name} and invite them to {event}.',
    'I need an invitation to {event} for {name}.',
    'Invite {name} to {event} on {date} at {time}.',
    'Can you write an invitation for {name}? It is for {event} on {date}.',
    'Write a note: {name} should come to {event} at {time}.',
  ],
  answers: [
    'Dear {name},\nPlease come to {event}. I would be very happy to see you there.',
    'Dear {name},\nPlease come to {event} on {date}. I would be very happy to see you there.',
    'Dear {name},\nPlease come to {event} at {time}. I would be very happy to see you there.',
    'Dear {name},\nPlease come to {event} on {date} at {time}. I would be very happy to see you there.',
  ],
};

const accept: Intent = {
  asks: [
    'Say yes to the invitation of {name} to {event}.',
    'Write to {name} that I will come to {event}.',
    '{name} invited me to {event}. Write that I will come.',
    'Tell {name} that I can come to {event}.',
    'Write a reply to {name}: I will come to {event}.',
    'Accept the invitation of {name} to {event}.',
    'I was invited to {event} by {name}. Help me say yes.',
    'Write a short yes to {name} about {event}.',
    'I want to say yes to {name} about {event}.',
    'Let {name} know that I will be at {event}.',
  ],
  answers: ['Dear {name},\nThank you for the invitation to {event}. I will be happy to come.\nSee you soon'],
};

const decline: Intent = {
  asks: [
    'Say no to the invitation of {name} to {event}.',
    'Write to {name} that I cannot come to {event}.',
    '{name} invited me to {event}. Write that I cannot come.',
    'Tell {name} that I have no time for {event}.',
    'Write a reply to {name}: I cannot come to {event}.',
    'Decline the invitation of {name} to {event}.',
    'I was invited to {event} by {name}. Help me say no.',
    'Write a polite no to {name} about {event}.',
    'I want to say no to {name} about {event}.',
    'Let {name} know that I will not be at {event}.',
  ],
  answers: [
    'Dear {name},\nThank you for the invitation to {event}. I am sorry, but I cannot come.\nBest wishes',
  ],
};

const birthday: Intent = {
  asks: [
    'Write a birthday wish to {name}.',
    'Write a birthday card for {name}.',
    '{name} has a birthday today. What can I write?',
    'Wish {name} a happy birthday.',
    'I need a birthday message for {name}.',
    'Help me write a birthday card to {name}.',
    'What should I write on the birthday card of {name}?',
    'Write a happy birthday note from {sender} to {name}.',
    'It is the birthday of {name}. Write a short wish.',
    'I am {sender}. Wish {name} a happy birthday.',
    'Write a short birthday text for {name}.',
  ],
  answers: [
    'Happy birthday, {name}! I wish you a wonderful day and a good year.',
    'Happy birthday, {name}! I wish you a wonderful day and a good year. Yours, {sender}',
  ],
};

const congratulations: Intent = {
  asks: [
    'Congratulate {name} on the new job as {job}.',
    '{name} is now {job}. Write a congratulation.',
    'Write a short note to {name}, who became {job}.',
    'My friend {name} has become {job}. What can I write?',
    'Help me congratulate {name}, who is now {job}.',
    'Write a congratulation to {name} for becoming {job}.',
    'I want to congratulate {name} on becoming {job}.',
    '{name} works as {job} from today. Write a nice note.',
    'Send good wishes to {name}, who is now {job}.',
    'Write a card to {name}, our friend, now {job}.',
  ],
  answers: ['Congratulations, {name}! You will be great as {job}.'],
};

const getWell: Intent = {
  asks: [
    'Write a get-well card to {name}.',
    '{name} is ill. Write a short note.',
    'Wish {name} a quick recovery.',
    'Help me write to {name}, who is sick.',
    'I need a get-well message for {name}.',
    'What can I write to {name}, who is in hospital?',
    'Write a short get-well note to {name}.',
    'My friend {name} is not well. Write a card.',
    'Write a note to make {name} feel better.',
    'Write a get-well card from {sender} to {name}.',
  ],
  answers: [
    'Dear {name},\nI hope that you feel better soon. I am thinking of you.\nBest wishes',
    'Dear {name},\nI hope that you feel better soon. I am thinking of you.\nBest wishes,\n{sender}',
  ],
};

const reminder: Intent = {
  asks: [
    'Write a reminder to {name} to {task}.',
    'Remind {name} to {task}.',
    'Remind {name} to {task} on {date}.',
    'Write a short note to {name}: {task} by {time}.',
    'Ask {name} to {task}.',
    'Tell {name} to {task} before {time}.',
    'Write to {name} so that they do not forget to {task}.',
    'I need a reminder for {name} to {task} on {date}.',
    'Help me remind {name} to {task}.',
    'Leave a note for {name}: {task}.',
    'Write a polite reminder: {name} should {task} on {date}.',
  ],
  answers: [
    'Hi {name}, please do not forget to {task}. Thank you!',
    'Hi {name}, please do not forget to {task} on {date}. Thank you!',
    'Hi {name}, please do not forget to {task} before {time}. Thank you!',
  ],
};

export const NOTES: readonly Intent[] = [
  thankYou,
  thankYou,
  apology,
  invitation,
  accept,
  decline,
  birthday,
  congratulations,
  getWell,
  reminder,
];
