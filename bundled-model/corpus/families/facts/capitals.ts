// Countries and their capitals: where there is one, and nobody disputes it.
import { parsePairs, type Topic, turnAround } from './topic.js';

const CAPITALS = parsePairs(
  'France: Paris, Germany: Berlin, Italy: Rome, Spain: Madrid, Portugal: Lisbon, Austria: Vienna, ' +
    'Belgium: Brussels, Poland: Warsaw, Norway: Oslo, Sweden: Stockholm, Finland: Helsinki, ' +
    'Denmark: Copenhagen, Greece: Athens, Ireland: Dublin, Hungary: Budapest, Romania: Bucharest, ' +
    'Bulgaria: Sofia, Croatia: Zagreb, Iceland: Reykjavik, Estonia: Tallinn, Latvia: Riga, ' +
    'Lithuania: Vilnius, Japan: Tokyo, China: Beijing, India: New Delhi, Thailand: Bangkok, ' +
    'Vietnam: Hanoi, Egypt: Cairo, Kenya: Nairobi, Ghana: Accra, Canada: Ottawa, Cuba: Havana, ' +
    'Peru: Lima, Chile: Santiago, Argentina: Buenos Aires, Australia: Canberra, ' +
    'New Zealand: Wellington, Turkey: Ankara, Nepal: Kathmandu',
);

export const capitals: Topic = {
  asks: [
    'What is the capital of {thing}?',
    "What's the capital of {thing}?",
    'Which city is the capital of {thing}?',
    'Tell me the capital of {thing}.',
    'Name the capital of {thing}.',
    'Give me the capital of {thing}.',
    'Do you know the capital of {thing}?',
    'How is the capital of {thing} called?',
    'I need the capital of {thing}.',
    'Say the capital of {thing}.',
  ],
  sentence: 'The capital of {thing} is {right}.',
  facts: CAPITALS,
};

export const countries: Topic = {
  asks: [
    '{thing} is the capital of which country?',
    'Which country has the capital {thing}?',
    'What country is {thing} the capital of?',
    'Tell me the country whose capital is {thing}.',
    'Name the country with the capital {thing}.',
    'Of which country is {thing} the capital?',
    'In which country is the capital {thing}?',
    'Give me the country with the capital {thing}.',
    'The capital is {thing}. What is the country?',
  ],
  sentence: 'The country with the capital {thing} is {right}.',
  facts: turnAround(CAPITALS),
};
