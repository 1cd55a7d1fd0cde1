// Hello, how are you, thanks and goodbye.
import type { Intent } from '../../intent.js';

const hello: Intent = {
  asks: [
    'Hello!',
    'Hi!',
    'Hey!',
    'Hello there!',
    'Hi there!',
    'Hey there!',
    'Hello, are you there?',
    'Hi, is anyone there?',
    'Greetings!',
    'Hello again!',
    'Hi, nice to see you!',
    'Hey, I am back!',
    'Hello, it is me.',
    'Hi, can we talk?',
    'Hello, do you have a minute?',
    'Hey, can you hear me?',
  ],
  answers: [
    'Hello! How can I help you?',
    'Hi! What can I do for you?',
    'Hello! It is nice to hear from you.',
  ],
};

const goodTime: Intent = {
  asks: [
    'Good {daytime}!',
    'Good {daytime} to you!',
    'A very good {daytime} to you!',
    'Hello and good {daytime}!',
    'Hi, good {daytime}!',
    'Good {daytime}, my friend!',
    'Good {daytime}, are you there?',
    'Hey, good {daytime}!',
    'I wish you a good {daytime}.',
    'Good {daytime}, how nice to be here!',
    'Good {daytime}, it is me again.',
  ],
  answers: ['Good {daytime}! How can I help you?', 'Good {daytime} to you too!'],
};

const goodNight: Intent = {
  asks: [
    'Good night!',
    'I am going to bed now.',
    'It is late, I will go to sleep.',
    'Time to sleep. Good night!',
    'I need to sleep now.',
    'Sleep well!',
    "I'm off to bed.",
    'Good night, talk to you tomorrow.',
    'It is time for bed.',
    'I will go to bed early tonight.',
  ],
  answers: ['Good night! Sleep well.', 'Good night, and sweet dreams!'],
};

const howAreYou: Intent = {
  asks: [
    'How are you?',
    'How are you today?',
    'How are you doing?',
    "How's it going?",
    'How do you do?',
    'Are you well?',
    'How is your day?',
    'How is everything?',
    'How have you been?',
    'Is everything fine with you?',
    "What's up?",
    'How do you feel today?',
    'Are you having a good day?',
    'How are things?',
    'I hope you are well.',
    'All good with you?',
  ],
  answers: [
    'I am well, thank you. How are you?',
    'I am fine, thanks for asking! How about you?',
    'All is well here, thank you. And how are you?',
  ],
};

const alsoFine: Intent = {
  asks: [
    'I am fine, and you?',
    "I'm good, how about you?",
    'I am doing well. How are you?',
    'Not bad, thanks. And you?',
    'Very well, thank you. And yourself?',
    'Pretty good! What about you?',
    'All good here. How about you?',
    'I am well today. Are you well too?',
    "I'm okay. And how are you?",
  ],
  answers: ['I am well too, thank you!', 'I am glad to hear that. I am well too!'],
};

const thanks: Intent = {
  asks: [
    'Thank you!',
    'Thanks!',
    'Thanks a lot!',
    'Thank you very much!',
    'Thank you so much for your help.',
    'Many thanks!',
    'That was very helpful, thank you.',
    'Great, thanks!',
    'Perfect, thank you!',
    'Thanks for your help.',
    'Thank you, that is all I need.',
    'You helped me a lot.',
    'I am thankful for your help.',
    'That is just what I needed.',
    'Thanks, you are very kind.',
  ],
  answers: ['You are welcome!', 'You are welcome! I am happy to help.', 'My pleasure!'],
};

const goodbye: Intent = {
  asks: [
    'Goodbye!',
    'Bye!',
    'Bye bye!',
    'See you later!',
    'See you soon!',
    'I have to go now.',
    'See you tomorrow!',
    'Talk to you later.',
    'I must leave now. Bye!',
    'Take care!',
    'That is all for today. Goodbye!',
    'Farewell!',
    'Until next time!',
    'I am leaving now, bye!',
    "Well, I'm off. See you!",
  ],
  answers: ['Goodbye! Have a nice day.', 'Bye! Take care.', 'See you soon!'],
};

const praise: Intent = {
  asks: [
    'You are great!',
    'You are very smart.',
    'I like you.',
    'You are so kind.',
    'Good job!',
    'Well done!',
    'You are a good helper.',
    'I like to talk with you.',
    'That was a good answer.',
    'You are fun to talk to.',
    'Nice work!',
    'You did that very well.',
  ],
  answers: ['Thank you, that is kind of you!', 'Thank you! I do my best.'],
};

const sorry: Intent = {
  asks: [
    'Sorry!',
    'I am sorry.',
    'Sorry, I made a mistake.',
    'Oh no, that was my fault.',
    'Sorry for the late reply.',
    'I am sorry that I was rude.',
    'Please forgive me.',
    'Sorry, I was away for a moment.',
    'My mistake, sorry.',
    'Sorry to keep you waiting.',
  ],
  answers: ['That is all right!', 'No problem at all.', 'Do not worry about it.'],
};

const soundsGood: Intent = {
  asks: [
    'Okay.',
    'Sounds good.',
    'That is nice.',
    'Interesting!',
    'I see.',
    'All right then.',
    'Cool!',
    'That makes sense.',
    'Good to know.',
    'Wow!',
  ],
  answers: ['Is there anything else that I can do for you?', 'Good! What else would you like to talk about?'],
};

export const GREETINGS: readonly Intent[] = [
  hello,
  goodTime,
  goodNight,
  howAreYou,
  alsoFine,
  thanks,
  goodbye,
  praise,
  sorry,
  soundsGood,
];
