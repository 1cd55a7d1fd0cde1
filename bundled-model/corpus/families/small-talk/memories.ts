// What people tell about themselves and ask for later in the same conversation.
import type { Intent } from '../../intent.js';

export interface Memory {
  /** The user says it, and what is said back. */
  told: Intent;
  /** The user wants to hear it again. */
  recalled: Intent;
  /** What is answered when it was never told. */
  unknown: string;
}

const name: Memory = {
  told: {
    asks: [
      'My name is {name}.',
      'I am {name}.',
      "I'm {name}.",
      'Call me {name}.',
      'You can call me {name}.',
      'People call me {name}.',
      'This is {name}.',
      'Let me introduce myself: I am {name}.',
      'My friends call me {name}.',
      'The name is {name}.',
      'First of all, my name is {name}.',
      'You should know that I am {name}.',
      'Please call me {name}.',
      'They named me {name}.',
    ],
    answers: ['Nice to meet you, {name}!'],
  },
  recalled: {
    asks: [
      'What is my name?',
      "What's my name?",
      'Do you know my name?',
      'Who am I?',
      'Do you remember my name?',
      'Can you tell me my name?',
      'What did I say my name was?',
      'Which name did I tell you?',
      'How am I called?',
      'Tell me my name.',
      'Say my name.',
      'Have you forgotten my name?',
    ],
    answers: ['Your name is {name}.'],
  },
  unknown: 'You have not told me your name yet.',
};

const city: Memory = {
  told: {
    asks: [
      'I live in {city}.',
      'My home is in {city}.',
      'I am from {city}.',
      'I moved to {city} last year.',
      'I come from {city}.',
      'My house is in {city}.',
      'I have a flat in {city}.',
      'We live in {city}.',
      'My home town is {city}.',
      'I was born in {city} and still live here.',
    ],
    answers: ['{city} sounds like a nice place.'],
  },
  recalled: {
    asks: [
      'Where do I live?',
      'Which city do I live in?',
      'Do you know where I live?',
      'What is my home town?',
      'Do you remember where I live?',
      'Where is my home?',
      'In which place is my home?',
      'Tell me where I live.',
      'Which city is my home?',
      'What did I say about where I live?',
    ],
    answers: ['You live in {city}.'],
  },
  unknown: 'You have not told me where you live.',
};

const hobby: Memory = {
  told: {
    asks: [
      'My hobby is {hobby}.',
      'My favourite hobby is {hobby}.',
      'What I like most is {hobby}.',
      'My big passion is {hobby}.',
      'For fun, I enjoy {hobby}.',
      'After work I enjoy {hobby}.',
      'Every weekend I enjoy {hobby}.',
      'I have one hobby, and it is {hobby}.',
      'The best hobby for me is {hobby}.',
      'I am a big fan of {hobby}.',
    ],
    answers: ['How nice that you like {hobby}!'],
  },
  recalled: {
    asks: [
      'What is my hobby?',
      'Which hobby do I have?',
      'Do you know my hobby?',
      'What do I like to do?',
      'Do you remember my hobby?',
      'What is my favourite hobby?',
      'Tell me my hobby.',
      'What do I do for fun?',
      'Which hobby did I tell you about?',
      'What is it that I enjoy?',
    ],
    answers: ['Your hobby is {hobby}.'],
  },
  unknown: 'You have not told me your hobby.',
};

const food: Memory = {
  told: {
    asks: [
      'My favourite food is {food}.',
      'The food that I like most is {food}.',
      'I could eat {food} every day.',
      'For me, the best food is {food}.',
      'I love to eat {food}.',
      'When I am hungry I always want {food}.',
      'No food is better than {food}.',
      'If I can choose, I eat {food}.',
      'What I eat most is {food}.',
    ],
    answers: ['I hear that many people like {food}.'],
  },
  recalled: {
    asks: [
      'What is my favourite food?',
      'Which food do I like most?',
      'What do I like to eat?',
      'Do you know my favourite food?',
      'Do you remember what I like to eat?',
      'Tell me my favourite food.',
      'Which food did I tell you about?',
      'What could I eat every day?',
      'Which food is the best for me?',
    ],
    answers: ['Your favourite food is {food}.'],
  },
  unknown: 'You have not told me your favourite food.',
};

const colour: Memory = {
  told: {
    asks: [
      'My favourite colour is {colour}.',
      'The colour that I like most is {colour}.',
      'I like the colour {colour} best.',
      'For me, the best colour is {colour}.',
      'I love the colour {colour}.',
      'My walls are {colour}, my favourite colour.',
      'No colour is better than {colour}.',
      'If I can choose a colour, I take {colour}.',
      'Most of my clothes are {colour}, as I like that colour most.',
    ],
    answers: ['I think that {colour} is a nice colour.'],
  },
  recalled: {
    asks: [
      'What is my favourite colour?',
      'Which colour do I like most?',
      'Do you know my favourite colour?',
      'Do you remember my favourite colour?',
      'Tell me my favourite colour.',
      'Which colour did I tell you about?',
      'What colour do I like best?',
      'Which colour would I choose?',
      'What is the best colour for me?',
    ],
    answers: ['Your favourite colour is {colour}.'],
  },
  unknown: 'You have not told me your favourite colour.',
};

const job: Memory = {
  told: {
    asks: [
      'I am {job}.',
      'I work as {job}.',
      'My job: I am {job}.',
      'I earn my money as {job}.',
      'I became {job} last year.',
      'At work I am {job}.',
      'For ten years I have been {job}.',
      'I have a job as {job}.',
      'By day I am {job}.',
    ],
    answers: ['It must be interesting to be {job}.'],
  },
  recalled: {
    asks: [
      'What is my job?',
      'What do I do for work?',
      'Do you know my job?',
      'Do you remember my job?',
      'What do I work as?',
      'Tell me my job.',
      'Which job did I tell you about?',
      'How do I earn my money?',
      'What am I by profession?',
    ],
    answers: ['You are {job}.'],
  },
  unknown: 'You have not told me your job.',
};

const pet: Memory = {
  told: {
    asks: [
      'I have a {pet} called {petName}.',
      'My {pet} is called {petName}.',
      'The name of my {pet} is {petName}.',
      'I have a {pet}, and its name is {petName}.',
      'We called our {pet} {petName}.',
      'My {pet} has the name {petName}.',
      'There is a {pet} at home: {petName}.',
      'I look after my {pet}, named {petName}.',
      'I share my home with a {pet} called {petName}.',
    ],
    answers: ['{petName} is a nice name for a {pet}.'],
  },
  recalled: {
    asks: [
      'What is the name of my pet?',
      'What is my pet called?',
      "What's my pet's name?",
      'Do you know the name of my pet?',
      'Do you remember the name of my pet?',
      'Tell me the name of my pet.',
      'How is my pet called?',
      'Which name does my pet have?',
      'Who is waiting for me at home, by name?',
    ],
    answers: ['Your {pet} is called {petName}.'],
  },
  unknown: 'You have not told me about a pet.',
};

export const MEMORIES: readonly Memory[] = [name, city, hobby, food, colour, job, pet];
