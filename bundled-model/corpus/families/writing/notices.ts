// What is written for many: product texts, reviews, announcements, signs, introductions.
import type { Intent } from '../../intent.js';

const product: Intent = {
  asks: [
    'Write a product description for the {product}.',
    'Write a short product description for the {product}. It is {feature}.',
    'Describe the {product}, which is {feature}.',
    'Write an ad for the {product}. It is {feature}.',
    'I sell the {product}. It is {feature}. Write a description.',
    'Write a text for our shop: {product}, {feature}.',
    'Help me describe the {product}. It is {feature} and {extra}.',
    'Product: {product}. It is {feature} and {extra}. Write a description.',
    'Write two sentences about the {product}, which is {feature}.',
    'I need a product text for the {product}. It is {feature} and {extra}.',
    'Describe our {product} for the web shop.',
    'Write an ad for our new {product}.',
    'Our {product} is {feature}. Write a text about it.',
    'What can I write about the {product}? It is {feature} and {extra}.',
  ],
  answers: [
    'Meet the {product}. It is easy to use and right for every day.',
    'Meet the {product}. It is {feature} and right for every day.',
    'The {product} is {feature}. You will love to use it every day.',
    'Meet the {product}. It is {feature} and {extra}. You will love to use it every day.',
  ],
};

const slogan: Intent = {
  asks: [
    'Write a slogan for {company}.',
    'I need a slogan for {company}.',
    'Give me a short slogan for {company}.',
    'Find a slogan for the {product}.',
    'Write a slogan for the {product}.',
    'What is a good slogan for {company}?',
    'Can you write a slogan for the {product}?',
    'Make up a slogan for our company, {company}.',
    'Our company {company} needs a slogan.',
    'Help me find a slogan for the {product}.',
  ],
  answers: ['{company}: always there for you.', '{product}: made for your day.'],
};

const goodReview: Intent = {
  asks: [
    'Write a good review of the {product}.',
    'I like my {product}. Write a review.',
    'Write a short positive review of the {product}.',
    'Help me write a good review for the {product}.',
    'I am happy with the {product}. Write a review for me.',
    'Write a five-star review of the {product}.',
    'The {product} is great. Write a review.',
    'Write a nice review of the {product}. It is {feature}.',
    'Write a positive review: the {product} is {feature}.',
    'I love the {product} because it is {feature}. Write a review.',
  ],
  answers: [
    'I am very happy with the {product}. It works well, and I would buy it again.',
    'I am very happy with the {product}. It is {feature}, and I would buy it again.',
  ],
};

const badReview: Intent = {
  asks: [
    'Write a bad review of the {product}.',
    'I do not like my {product}. Write a review.',
    'Write a short negative review of the {product}.',
    'Help me write a bad review for the {product}.',
    'I am not happy with the {product}. Write a review for me.',
    'Write a one-star review of the {product}.',
    'The {product} is bad. Write a review.',
    'Write a negative review: the {product} broke after a week.',
    'My {product} does not work well. Write a review.',
    'I want to complain about the {product} in a review.',
  ],
  answers: ['I am not happy with the {product}. It does not work well, and I would not buy it again.'],
};

const opening: Intent = {
  asks: [
    'Write a post: {company} opens on {date} in {city}.',
    'Announce that {company} opens in {city} on {date}.',
    '{company} opens a shop in {city} on {date}. Write a post.',
    'Write a short announcement: {company} comes to {city} on {date}.',
    'We are {company} and open in {city} on {date}. Tell our customers.',
    'Write news about the new shop of {company} in {city}, open from {date}.',
    'Our company {company} opens in {city} on {date}. Write a text.',
    'I need a post about the opening of {company} in {city} on {date}.',
    'Tell people that {company} opens on {date} in {city}.',
    'Write two sentences: opening of {company}, {date}, {city}.',
  ],
  answers: [
    'Good news! {company} opens in {city} on {date}. We look forward to seeing you.',
    '{company} opens in {city} on {date}. Come and visit us!',
  ],
};

const closed: Intent = {
  asks: [
    'Write a sign: we are closed on {date}.',
    'Our shop is closed on {date}. Write a sign.',
    'Write a notice that we are closed on {date}.',
    'I need a sign for the door. We are closed on {date}.',
    'Tell our customers that we are closed on {date}.',
    'Write a short note for the door: closed on {date}.',
    'We do not open on {date}. Write a notice.',
    'Help me with a sign. The shop is closed until {time}.',
    'Write a sign: back at {time}.',
    'I am away until {time}. Write a sign for the door.',
  ],
  answers: [
    'We are closed on {date}. Thank you for your understanding.',
    'We will be back at {time}. Thank you for your patience.',
  ],
};

const away: Intent = {
  asks: [
    'Write an out-of-office message until {date}.',
    'I am away until {date}. Write an automatic reply.',
    'Write an away message. I am back on {date}.',
    'I am on holiday until {date}. What should my reply say?',
    'I need an automatic reply: away until {date}, ask {name}.',
    'Write an out-of-office reply until {date}. {name} can help.',
    'I am not in the office until {date}. Write a reply.',
    'Write an away message until {date}. They can ask {name}.',
    'Set up a text for my mail: away until {date}.',
  ],
  answers: [
    'Thank you for your message. I am away until {date} and will answer after that.',
    'Thank you for your message. I am away until {date}. Please ask {name} if it is urgent.',
  ],
};

const introduction: Intent = {
  asks: [
    'Introduce {name}, {job} from {city}.',
    'Write a short introduction for {name}, {job} from {city}.',
    '{name} is {job} and lives in {city}. Write an introduction.',
    'Write one sentence about {name}, {job} in {city}.',
    'Introduce our new colleague {name}, {job} from {city}.',
    'Write a short text about me: {name}, {job}, {city}.',
    'I am {name}, {job} from {city}. Write a text about me.',
    'Help me introduce {name}, who is {job} in {city}.',
    'Write a profile for {name}, {job}, living in {city}.',
    'Who is {name}? Write it in one sentence: {job}, {city}.',
  ],
  answers: ['{name} works as {job} and lives in {city}.'],
};

const praise: Intent = {
  asks: [
    'Describe {name}, who is {trait} and {merit}.',
    'Write a sentence about {name}. {name} is {trait}.',
    'Say something nice about {name}, who is {trait}.',
    'Write a few words about my friend {name}: {trait} and {merit}.',
    'My colleague {name} is {trait} and {merit}. Write a sentence.',
    'Write something kind about {name}, who is {trait} and {merit}.',
    'Praise {name}, who is {trait}.',
    'Tell people that {name} is {trait} and {merit}.',
    'Write about {name}, a person who is {trait}.',
  ],
  answers: [
    '{name} is {trait}. It is good to know {name}.',
    '{name} is {trait} and {merit}. It is good to know {name}.',
  ],
};

export const NOTICES: readonly Intent[] = [
  product,
  product,
  slogan,
  goodReview,
  badReview,
  opening,
  closed,
  away,
  introduction,
  praise,
];
