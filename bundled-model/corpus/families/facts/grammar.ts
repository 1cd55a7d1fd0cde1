// Forms of words: plural and singular, past tense, comparison. Only words with one form that all agree on.
import { type Fact, parsePairs, type Topic, turnAround } from './topic.js';

const ADD_S = (
  'apple, arm, bag, ball, banana, bank, bear, bed, bell, bike, bird, boat, book, bottle, boy, ' +
  'bridge, brother, bucket, button, cake, camera, candle, car, card, carrot, cat, chair, chicken, ' +
  'cloud, coat, computer, cook, corner, cousin, cow, cup, day, desk, doctor, dog, door, dream, duck, ' +
  'eagle, ear, egg, engine, eye, farm, farmer, finger, flower, fork, friend, game, garden, girl, ' +
  'goat, hand, hat, hill, horse, hospital, hotel, house, island, jacket, judge, key, king, kitchen, ' +
  'lake, lamp, leg, lemon, letter, lion, machine, map, market, monkey, moon, mountain, name, nest, ' +
  'nose, nurse, ocean, office, onion, orange, park, pen, pencil, phone, picture, pig, pillow, plane, ' +
  'plant, plate, pocket, queen, question, rabbit, ring, river, road, room, school, ship, shirt, ' +
  'shoe, shop, sister, snake, song, spoon, star, stone, street, student, table, teacher, tiger, ' +
  'town, toy, train, tree, truck, turtle, uncle, village, wall, wheel, window, word'
).split(', ');

const OTHER_PLURALS = parsePairs(
  'box: boxes, fox: foxes, tax: taxes, bus: buses, glass: glasses, class: classes, dress: dresses, ' +
    'kiss: kisses, boss: bosses, dish: dishes, brush: brushes, wish: wishes, bush: bushes, ' +
    'watch: watches, match: matches, bench: benches, lunch: lunches, beach: beaches, church: churches, ' +
    'peach: peaches, witch: witches, sandwich: sandwiches, potato: potatoes, tomato: tomatoes, ' +
    'hero: heroes, echo: echoes, city: cities, baby: babies, lady: ladies, party: parties, ' +
    'story: stories, country: countries, family: families, cherry: cherries, berry: berries, ' +
    'puppy: puppies, pony: ponies, army: armies, body: bodies, copy: copies, enemy: enemies, ' +
    'factory: factories, library: libraries, diary: diaries, butterfly: butterflies, fly: flies, ' +
    'knife: knives, wife: wives, life: lives, leaf: leaves, loaf: loaves, shelf: shelves, ' +
    'wolf: wolves, half: halves, thief: thieves, calf: calves, man: men, woman: women, ' +
    'child: children, tooth: teeth, foot: feet, goose: geese, mouse: mice, ox: oxen, sheep: sheep, ' +
    'deer: deer, piano: pianos, photo: photos, radio: radios, roof: roofs, chief: chiefs, ' +
    'policeman: policemen, fireman: firemen, snowman: snowmen',
);

const PLURALS: readonly Fact[] = [
  ...ADD_S.map(thing => ({ thing, right: `${thing}s` })),
  ...OTHER_PLURALS,
  ...OTHER_PLURALS,
];

const PASTS = parsePairs(
  'go: went, see: saw, eat: ate, drink: drank, give: gave, take: took, make: made, come: came, ' +
    'run: ran, write: wrote, speak: spoke, buy: bought, bring: brought, think: thought, teach: taught, ' +
    'catch: caught, find: found, tell: told, say: said, sell: sold, hold: held, keep: kept, ' +
    'sleep: slept, feel: felt, leave: left, meet: met, send: sent, spend: spent, build: built, ' +
    'lend: lent, lose: lost, win: won, sit: sat, stand: stood, know: knew, grow: grew, throw: threw, ' +
    'fly: flew, draw: drew, drive: drove, ride: rode, rise: rose, break: broke, choose: chose, ' +
    'steal: stole, wear: wore, begin: began, ring: rang, sing: sang, swim: swam, forget: forgot, ' +
    'hide: hid, bite: bit, fall: fell, hear: heard, pay: paid, have: had, do: did, become: became, ' +
    'understand: understood, feed: fed, fight: fought, freeze: froze, shake: shook, wake: woke, ' +
    'walk: walked, talk: talked, play: played, work: worked, call: called, open: opened, ' +
    'close: closed, ask: asked, answer: answered, help: helped, look: looked, like: liked, ' +
    'love: loved, live: lived, move: moved, use: used, wash: washed, watch: watched, wait: waited, ' +
    'want: wanted, need: needed, start: started, stop: stopped, plan: planned, carry: carried, ' +
    'try: tried, cry: cried, study: studied, jump: jumped, climb: climbed, smile: smiled, ' +
    'laugh: laughed, paint: painted',
);

const COMPARISONS = parsePairs(
  'big: bigger, small: smaller, tall: taller, short: shorter, long: longer, fast: faster, ' +
    'slow: slower, hot: hotter, cold: colder, warm: warmer, cool: cooler, young: younger, new: newer, ' +
    'rich: richer, poor: poorer, strong: stronger, weak: weaker, hard: harder, soft: softer, ' +
    'loud: louder, high: higher, low: lower, deep: deeper, wide: wider, large: larger, nice: nicer, ' +
    'late: later, safe: safer, thin: thinner, thick: thicker, fat: fatter, wet: wetter, ' +
    'happy: happier, easy: easier, early: earlier, busy: busier, heavy: heavier, dirty: dirtier, ' +
    'funny: funnier, lucky: luckier, pretty: prettier, good: better, bad: worse, cheap: cheaper, ' +
    'clean: cleaner, dark: darker, bright: brighter, light: lighter, kind: kinder',
);

export const plurals: Topic = {
  asks: [
    'What is the plural of {thing}?',
    "What's the plural of {thing}?",
    'Give me the plural of {thing}.',
    'Tell me the plural of {thing}.',
    'How do you write the plural of {thing}?',
    'What is the plural form of {thing}?',
    'I need the plural of {thing}.',
    'Say the plural of {thing}.',
    'One {thing}. What is the plural?',
    'Which word is the plural of {thing}?',
    'Write the plural of {thing}.',
    'Do you know the plural of {thing}?',
  ],
  sentence: 'The plural of {thing} is {right}.',
  facts: PLURALS,
};

export const singulars: Topic = {
  asks: [
    'What is the singular of {thing}?',
    "What's the singular of {thing}?",
    'Give me the singular of {thing}.',
    'Tell me the singular of {thing}.',
    'How do you write the singular of {thing}?',
    'What is the singular form of {thing}?',
    'I need the singular of {thing}.',
    'Many {thing}. What is the singular?',
    'Which word is the singular of {thing}?',
    'Write the singular of {thing}.',
  ],
  sentence: 'The singular of {thing} is {right}.',
  facts: turnAround(PLURALS),
};

export const pasts: Topic = {
  asks: [
    'What is the past tense of {thing}?',
    "What's the past tense of {thing}?",
    'Give me the past tense of {thing}.',
    'Tell me the past tense of {thing}.',
    'What is the past of {thing}?',
    'How do you write {thing} in the past tense?',
    'I need the past tense of {thing}.',
    'Put {thing} into the past tense.',
    'Today I {thing}. What is the past tense?',
    'Which word is the past tense of {thing}?',
    'Write the past tense of {thing}.',
  ],
  sentence: 'The past tense of {thing} is {right}.',
  facts: PASTS,
};

export const comparisons: Topic = {
  asks: [
    'What is the comparative of {thing}?',
    'Give me the comparative of {thing}.',
    'Tell me the comparative of {thing}.',
    'What is the comparative form of {thing}?',
    'Which form of {thing} compares two things?',
    'I need the comparative of {thing}.',
    'Which word is the comparative of {thing}?',
    'Write the comparative of {thing}.',
    'What do I write for "more {thing}"?',
    'How do you say "more {thing}" in one word?',
  ],
  sentence: 'The comparative of {thing} is {right}.',
  facts: COMPARISONS,
};
