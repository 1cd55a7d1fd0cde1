// Opposites: only words that have one, and no two of them that mean nearly the same.
import { parsePairs, type Topic, turnAround } from './topic.js';

const BOTH_WAYS = parsePairs(
  'hot: cold, big: small, up: down, open: closed, day: night, black: white, good: bad, fast: slow, ' +
    'happy: sad, high: low, long: short, wet: dry, clean: dirty, full: empty, early: late, ' +
    'true: false, rich: poor, strong: weak, thick: thin, wide: narrow, deep: shallow, near: far, ' +
    'easy: difficult, quiet: loud, love: hate, win: lose, buy: sell, push: pull, start: stop, ' +
    'come: go, remember: forget, float: sink, laugh: cry, north: south, east: west, summer: winter, ' +
    'top: bottom, inside: outside, before: after, always: never, everything: nothing, first: last, ' +
    'front: back, hello: goodbye, yes: no, friend: enemy, question: answer, cheap: expensive, ' +
    'safe: dangerous, sharp: blunt, smooth: rough, tight: loose, polite: rude, awake: asleep, ' +
    'present: absent, alive: dead, sweet: sour, fresh: stale, raw: cooked, straight: crooked, ' +
    'possible: impossible, lucky: unlucky, visible: invisible, legal: illegal, regular: irregular, ' +
    'known: unknown, patient: impatient, honest: dishonest, agree: disagree, appear: disappear, ' +
    'connect: disconnect, lock: unlock, tie: untie, fold: unfold, load: unload, pack: unpack, ' +
    'increase: decrease, maximum: minimum, plus: minus, success: failure, peace: war, ceiling: floor, ' +
    'entrance: exit, sunrise: sunset, male: female, more: less, together: apart, upstairs: downstairs, ' +
    'import: export, accept: refuse, build: destroy, catch: throw, freeze: melt, save: spend, ' +
    'whisper: shout, attack: defend, guilty: innocent, public: private, single: double, ' +
    'vertical: horizontal, tame: wild, ripe: unripe, ugly: beautiful, proud: ashamed, ' +
    'optional: required, temporary: permanent, major: minor, active: passive, artificial: natural, ' +
    'junior: senior, arrival: departure, profit: loss, demand: supply, birth: death, child: adult, ' +
    'hero: villain, buyer: seller, winner: loser, host: guest',
);

/** The word on the right has more than one opposite. */
const ONE_WAY = parsePairs('young: old, new: old, tall: short, heavy: light, left: right, soft: hard');

export const opposites: Topic = {
  asks: [
    'What is the opposite of {thing}?',
    "What's the opposite of {thing}?",
    'Tell me the opposite of {thing}.',
    'Give me the opposite of {thing}.',
    'Which word is the opposite of {thing}?',
    'What is the opposite of the word {thing}?',
    'Name the opposite of {thing}.',
    'Do you know the opposite of {thing}?',
    'I need the opposite of {thing}.',
    'Say the opposite of {thing}.',
    'Which word means the opposite of {thing}?',
    '{thing}: what is the opposite?',
  ],
  sentence: 'The opposite of {thing} is {right}.',
  facts: [...BOTH_WAYS, ...turnAround(BOTH_WAYS), ...ONE_WAY],
};
