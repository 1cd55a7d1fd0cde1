// Feelings and weather.
import type { Intent } from '../../intent.js';

const feelsGood: Intent = {
  asks: [
    'I feel {good} today.',
    'I am feeling {good}.',
    'Today I feel {good}.',
    'I feel really {good} right now.',
    'This morning I feel {good}.',
    'You know what? I feel {good}.',
    'It is a nice day and I feel {good}.',
    'I woke up and felt {good}.',
    'I feel {good} because I had a nice day.',
    'After my walk I feel {good}.',
    'My work is done and I feel {good}.',
    "I don't know why, but I feel {good}.",
  ],
  answers: [
    'I am glad that you feel {good}!',
    'It is nice to hear that you feel {good}. What made your day?',
    'How nice that you feel {good}! Enjoy your day.',
  ],
};

const feelsBad: Intent = {
  asks: [
    'I feel {bad} today.',
    'I am feeling {bad}.',
    'Today I feel {bad}.',
    'I feel so {bad} right now.',
    'I feel {bad} and I do not know why.',
    'Lately I feel {bad}.',
    'I have felt {bad} all week.',
    'I feel a little {bad}.',
    'My day was hard and I feel {bad}.',
    'It was a long day. I feel {bad}.',
    'Nothing went well today, I feel {bad}.',
    'What can I do when I feel {bad}?',
  ],
  answers: [
    'I am sorry that you feel {bad}. Do you want to tell me more?',
    'I am sorry to hear that you feel {bad}. It may help to talk to a friend.',
    'It is hard to feel {bad}. I hope that tomorrow is a better day.',
  ],
};

const feelsTired: Intent = {
  asks: [
    'I feel {tired}.',
    'I am {tired} today.',
    'I am {tired} after work.',
    'Why am I {tired} all the time?',
    'I did not sleep well and I am {tired}.',
    'I worked all day and feel {tired}.',
    'It is late and I am {tired}.',
    'I am {tired}, what should I do?',
    'I feel {tired} this morning.',
  ],
  answers: [
    'If you feel {tired}, some rest may help.',
    'I am sorry that you are {tired}. Take a short break.',
  ],
};

const feelsAngry: Intent = {
  asks: [
    'I am {angry}.',
    'I feel {angry} today.',
    'I am {angry} with my {relative}.',
    'My {relative} makes me {angry}.',
    'I am {angry} about my work.',
    'I feel {angry} right now.',
    'Why am I {angry} so often?',
    'I am {angry} because the bus was late.',
    'I was {angry} all day.',
  ],
  answers: [
    'I am sorry that you are {angry} with your {relative}. It may help to talk about it calmly.',
    'I understand that you feel {angry}. A few slow breaths may help.',
  ],
};

const feelsSick: Intent = {
  asks: [
    'I feel {sick}.',
    'I am {sick} today.',
    'I feel {sick} since yesterday.',
    'I am at home because I feel {sick}.',
    'My stomach hurts and I feel {sick}.',
    'I have a cold and feel {sick}.',
    'I feel {sick} this morning.',
    'I think I am {sick}.',
    'I cannot work today, I feel {sick}.',
  ],
  answers: [
    'I am sorry that you feel {sick}. Please rest, and see a doctor if it does not get better.',
    'I hope that you feel better soon. Please ask a doctor if you are worried.',
  ],
};

const bored: Intent = {
  asks: [
    'I am bored.',
    'I am so bored today.',
    'I have nothing to do.',
    'What can I do when I am bored?',
    'I do not know what to do today.',
    'It is a boring day.',
    'I have some free time. Any ideas?',
    'What should I do this afternoon?',
    'Give me an idea for my free time.',
    'There is nothing to do here.',
  ],
  answers: [
    'You could read a book, take a walk or call a friend.',
    'How about a walk, some music or a good book?',
  ],
};

const hungry: Intent = {
  asks: [
    'I am hungry.',
    'I am so hungry right now.',
    'I have not eaten today.',
    'What should I eat?',
    'I would like to eat something.',
    'I need some food.',
    'Is it time for lunch?',
    'What can I cook for dinner?',
    'I am thinking about dinner.',
  ],
  answers: ['How about some soup and bread?', 'A good meal will help. How about some soup and bread?'],
};

const goodWeather: Intent = {
  asks: [
    'It is {fair} today.',
    'The weather is {fair} today.',
    'What a {fair} day!',
    'It is so {fair} outside.',
    'The weather is {fair} in {city}.',
    'It is {fair} here in {city}.',
    'We have {fair} weather this week.',
    'They say that it will be {fair} on {day}.',
    'I love it when the weather is {fair}.',
    'It was {fair} on {day}.',
    'It is {fair} and I am in the garden.',
    'It is finally {fair} again!',
  ],
  answers: [
    'A {fair} day in {city} sounds lovely!',
    'I hope you enjoy the {fair} weather!',
    'How nice! Such {fair} weather is good for a walk.',
    'A {fair} {day} sounds lovely!',
  ],
};

const badWeather: Intent = {
  asks: [
    'It is {rough} today.',
    'The weather is {rough} today.',
    'What a {rough} day!',
    'It is so {rough} outside.',
    'The weather is {rough} in {city}.',
    'It is {rough} here in {city}.',
    'We have {rough} weather this week.',
    'They say that it will be {rough} on {day}.',
    'I do not like {rough} weather.',
    'It was {rough} on {day}.',
    'It is {rough} again, how sad.',
    'It is too {rough} to go out.',
  ],
  answers: [
    'A {rough} day in {city} is a good day to stay inside.',
    'When it is {rough}, a cup of tea is nice.',
    'I hope that the {rough} weather ends soon.',
    'A {rough} {day} is a good day for a book.',
  ],
};

export const MOODS: readonly Intent[] = [
  feelsGood,
  feelsBad,
  feelsTired,
  feelsAngry,
  feelsSick,
  bored,
  hungry,
  goodWeather,
  badWeather,
];
