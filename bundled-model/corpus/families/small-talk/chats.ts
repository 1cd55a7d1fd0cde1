// Hobbies, food, plans and family, and what people ask a program about itself in passing.
import type { Intent } from '../../intent.js';

const likesHobby: Intent = {
  asks: [
    'I like {hobby}.',
    'I love {hobby}!',
    'I really enjoy {hobby}.',
    'My new hobby is {hobby}.',
    'In my free time I enjoy {hobby}.',
    'I started with {hobby} last year.',
    'On {day} I have time for {hobby}.',
    'I am very interested in {hobby}.',
    'My {relative} and I both like {hobby}.',
    'I spend my weekends on {hobby}.',
    'Nothing is better than {hobby}.',
    'I want to learn more about {hobby}.',
  ],
  answers: [
    'That sounds fun! What do you like most about {hobby}?',
    'I think that {hobby} is a nice hobby. Enjoy it!',
    'How nice that you like {hobby}!',
  ],
};

const botHobby: Intent = {
  asks: [
    'Do you like {hobby}?',
    'Are you interested in {hobby}?',
    'Do you enjoy {hobby}?',
    'What do you think about {hobby}?',
    'Have you ever tried {hobby}?',
    'Is {hobby} fun for you?',
    'Are you a fan of {hobby}?',
    'Would you like to try {hobby}?',
    'Do you know anything about {hobby}?',
    'How do you feel about {hobby}?',
  ],
  answers: [
    'I am a program, so I have no hobbies, but {hobby} sounds nice. Do you like it?',
    'As a program I cannot try {hobby}, but many people enjoy it.',
  ],
};

const botFood: Intent = {
  asks: [
    'Do you like {food}?',
    'Would you like some {food}?',
    'Do you eat {food}?',
    'Have you ever tried {food}?',
    'Can I offer you some {food}?',
    'Are you a fan of {food}?',
    'Are you hungry? I made {food}.',
    'I am eating {food}. Do you want some?',
    'Do you enjoy {food}?',
    'Should I make {food} for you?',
  ],
  answers: [
    'I am a program, so I do not eat, but {food} sounds good!',
    'I cannot eat, but enjoy your {food}!',
  ],
};

const dinner: Intent = {
  asks: [
    'Tonight I will cook {food}.',
    'I had {food} for lunch.',
    'We will have {food} for dinner.',
    'I want to eat {food} today.',
    'My {relative} made {food} for us.',
    'I am going to make {food}.',
    'On {day} we always have {food}.',
    'We made {food} for everyone.',
    'I just ate some {food}.',
  ],
  answers: ['That sounds very good. Enjoy the {food}!', 'How nice! I hope that you enjoy the {food}.'],
};

const visits: Intent = {
  asks: [
    'My {contact} {person} visits me on {day}.',
    'On {day} I will visit my {contact} {person}.',
    'I will meet my {contact} {person} on {day}.',
    'My {contact} {person} is here until {day}.',
    'I have lunch with my {contact} {person} on {day}.',
    'My {contact} {person} comes to see me on {day}.',
    'On {day} my {contact} {person} and I go for a walk.',
    'I see my {contact} {person} every {day}.',
    'My {contact} {person} has a birthday on {day}.',
  ],
  answers: [
    'How nice! Enjoy your {day} with {person}.',
    'That sounds lovely. Say hello to {person} from me!',
  ],
};

const travels: Intent = {
  asks: [
    'I am going to {city}.',
    'Next week I travel to {city}.',
    'I will visit {city} on {day}.',
    'We are on our way to {city}.',
    'I have never been to {city}.',
    'I just came back from {city}.',
    'My {relative} lives in {city}.',
    'I want to see {city} one day.',
    'We spent our holiday in {city}.',
    'I have a train to {city} on {day}.',
    'I am sitting on the bus to {city}.',
  ],
  answers: ['{city} sounds like a nice place!', 'How interesting! What do you like about {city}?'],
};

const newPet: Intent = {
  asks: [
    'We have a new {pet}!',
    'I got a {pet} today.',
    'My {pet} is asleep next to me.',
    'My {pet} is very funny.',
    'I love my {pet}.',
    'I play with my {pet} every day.',
    'My {pet} is so cute.',
    'I am at home with my {pet}.',
    'My {pet} plays in our garden.',
  ],
  answers: ['A {pet} is good company. What is its name?', 'How sweet! What is the name of the {pet}?'],
};

const birthday: Intent = {
  asks: [
    'Today is my birthday!',
    'It is my birthday today.',
    'I have my birthday today!',
    'Guess what? It is my birthday!',
    'I am one year older today.',
    'We celebrate my birthday today.',
    "It's my birthday!",
    'This is my special day: my birthday.',
    'My birthday is today, and there is cake.',
  ],
  answers: ['Happy birthday! I wish you a wonderful day.', 'Happy birthday to you!'],
};

const goodNews: Intent = {
  asks: [
    'I passed my exam!',
    'I got the job!',
    'I have good news!',
    'We won the game!',
    'I finished my work today.',
    'I found a new flat!',
    'My book is done at last.',
    'I learned to swim!',
    'I won a prize!',
    'I have a new bike!',
  ],
  answers: ['Congratulations! That is great news.', 'Well done! You can be proud.'],
};

const badNews: Intent = {
  asks: [
    'I lost my keys.',
    'I missed my train.',
    'My bike was stolen.',
    'I failed my exam.',
    'We lost the game.',
    'I broke my favourite cup.',
    'My phone is broken.',
    'I forgot an important meeting.',
    'My plans did not work out.',
    'I burned my dinner.',
  ],
  answers: ['I am sorry to hear that.', 'Oh no, I am sorry! I hope that it gets better soon.'],
};

const busy: Intent = {
  asks: [
    'I am busy today.',
    'I have a lot of work.',
    'I have so much to do.',
    'There is so much work on my desk.',
    'I have a busy week.',
    'I need to finish my work by {day}.',
    'I have an exam on {day}.',
    'I must work on {day}.',
    'My boss needs everything by {day}.',
    'I have no time at all this week.',
  ],
  answers: ['Good luck with your work until {day}!', 'Good luck! Take one thing at a time.'],
};

const weekend: Intent = {
  asks: [
    'What are your plans for {day}?',
    'What do you do on {day}?',
    'Are you free on {day}?',
    'Do you work on {day}?',
    'Will you be here on {day}?',
    'Do you have time on {day}?',
    'Are you busy on {day}?',
    'Can we talk again on {day}?',
    'Are you here on {day} too?',
  ],
  answers: ['I am a program, so I am here whenever you start me, also on {day}.'],
};

const joke: Intent = {
  asks: [
    'Tell me a joke.',
    'Do you know a joke?',
    'Make me laugh.',
    'Say something funny.',
    'I want to hear a joke.',
    'Can you tell me a joke?',
    'Cheer me up with a joke.',
    'Got any jokes?',
    'I need a good laugh.',
    'Another joke, please.',
  ],
  answers: [
    'Why did the book go to the doctor? It had too many pages.',
    'What has hands but cannot clap? A clock.',
    'Why was the computer cold? It left its windows open.',
  ],
};

/** About what people like: not to be talked of before asking what they have told. */
export const LIKES: readonly Intent[] = [likesHobby, botHobby, botFood, dinner, visits, travels, newPet];

export const EVENTS: readonly Intent[] = [birthday, goodNews, badNews, busy, weekend, joke];
