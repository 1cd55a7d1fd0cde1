// Writes data/train.jsonl and data/held-out.jsonl: what people say to a smart home, and which of its functions to call.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tools } from './functions.mjs';

const MOST_OF_A_KIND = 120;

const rooms = ['kitchen', 'bedroom', 'hall', 'bathroom', 'office', 'garden'];
const items = [
  'milk',
  'apples',
  'bread',
  'candles',
  'rice',
  'soap',
  'onions',
  'coffee',
  'pens',
  'eggs',
  'salt',
  'plums',
];
const dishes = ['pasta', 'tea', 'the pizza', 'laundry', 'the potatoes', 'a nap', 'the cake', 'homework'];
const words = {
  2: 'two',
  3: 'three',
  4: 'four',
  5: 'five',
  6: 'six',
  10: 'ten',
  12: 'twelve',
  15: 'fifteen',
  20: 'twenty',
};

/** The same numbers at each start. */
let state = 7;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const below = count => Math.floor(random() * count);
const pick = list => list[below(list.length)];
const between = (least, most) => least + below(most - least + 1);
/** A number in words now and then. */
const say = number => (words[number] && random() < 0.4 ? words[number] : String(number));

const call = (name, given) => ({ name, arguments: given });
const light = (room, on, brightness) => call('set_light', { room, on, ...(brightness && { brightness }) });

/** Each returns what is said, and the calls or the text that answer it. */
const kinds = [
  () => {
    const [room, on] = [pick(rooms), random() < 0.5];
    const said = on
      ? [
          `Lights on in the ${room}, please.`,
          `It's too dark in the ${room}.`,
          `Turn on the ${room} light.`,
          `Can you light the ${room}?`,
        ]
      : [
          `Lights off in the ${room}.`,
          `Nobody is in the ${room}, switch it off.`,
          `Please turn the ${room} light off.`,
          `No light in the ${room} now.`,
        ];
    return [pick(said), [light(room, on)]];
  },
  () => {
    const [room, brightness] = [pick(rooms), 5 * between(1, 19)];
    const said = [
      `Set the ${room} light to ${brightness} percent.`,
      `${room} at ${brightness} % light`,
      `I want ${brightness} percent brightness in the ${room}.`,
      `Dim the ${room} to ${brightness}.`,
    ];
    return [pick(said), [light(room, true, brightness)]];
  },
  () => {
    const one = pick(rooms);
    const other = pick(rooms.filter(room => room !== one));
    const on = random() < 0.5;
    const said = [
      `Turn the light ${on ? 'on' : 'off'} in the ${one} and the ${other}.`,
      `${one} and ${other}: lights ${on ? 'on' : 'off'}`,
    ];
    return [pick(said), [light(one, on), light(other, on)]];
  },
  () => {
    const [room, degrees] = [pick(rooms.slice(0, 5)), between(15, 25)];
    const said = [
      `Heat the ${room} to ${degrees} degrees.`,
      `I'd like ${degrees} degrees in the ${room}.`,
      `Set the heating in the ${room} to ${degrees}.`,
      `Make it ${degrees} in the ${room}, please.`,
    ];
    return [pick(said), [call('set_heating', { room, degrees })]];
  },
  () => {
    const minutes = pick([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 30, 45]);
    if (random() < 0.4) {
      const said = [
        `Timer for ${say(minutes)} minutes.`,
        `Wake me in ${say(minutes)} minutes.`,
        `Tell me when ${say(minutes)} minutes are over.`,
      ];
      return [pick(said), [call('start_timer', { minutes })]];
    }
    const label = pick(dishes).replace(/^(the|a) /, '');
    const said = [
      `Start a timer for the ${label}, ${say(minutes)} minutes.`,
      `${say(minutes)} minutes for the ${label}`,
      `The ${label} needs ${say(minutes)} minutes, remind me.`,
    ];
    return [pick(said), [call('start_timer', { minutes, label })]];
  },
  () => {
    const [item, amount] = [pick(items), pick([1, 2, 3, 4, 5, 6, 10, 12])];
    if (amount === 1)
      return [
        pick([`We need ${item}.`, `Put ${item} on the list.`, `Remember ${item} for the shopping.`]),
        [call('add_to_list', { item, amount })],
      ];
    const said = [
      `Put ${say(amount)} ${item} on the list.`,
      `We need ${say(amount)} ${item}.`,
      `Add ${item}, ${say(amount)} of them.`,
    ];
    return [pick(said), [call('add_to_list', { item, amount })]];
  },
  () => {
    const [item, minutes] = [pick(items), pick([5, 10, 15, 20])];
    return [
      `Add ${item} to the list and set a timer for ${say(minutes)} minutes.`,
      [call('add_to_list', { item, amount: 1 }), call('start_timer', { minutes })],
    ];
  },
  () => {
    const name = pick(['', ', house', ', my friend', ' very much']);
    const said = [`Thank you${name}!`, `Thanks${name}.`, `Good job${name.replace(' very much', '')}!`];
    return [pick(said), 'You are welcome.'];
  },
  () => {
    const what = pick([
      'a flight to Rome',
      'a table for two',
      'a taxi',
      'a film for tonight',
      'a doctor',
      'a song by a new band',
      'the news',
      'a joke',
      'a present for Mia',
      'my bank',
    ]);
    const said = [`Find me ${what}.`, `Can you get ${what}?`, `I need ${what} now.`];
    return [
      pick(said),
      'I cannot do that. I look after the lights, the heating, timers and the shopping list.',
    ];
  },
];

function toRow([said, answer], number) {
  const calls = typeof answer === 'string' ? [] : answer;
  const reply =
    calls.length === 0
      ? { role: 'assistant', content: answer }
      : {
          role: 'assistant',
          content: null,
          tool_calls: calls.map(({ name, arguments: given }, at) => ({
            id: `call_${number}_${at}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(given) },
          })),
        };
  return { messages: [{ role: 'user', content: said }, reply], tools };
}

/** All that is different among many attempts, up to so many. */
function collect(kind) {
  const made = new Map();
  for (let tried = 0; tried < 3000 && made.size < MOST_OF_A_KIND; tried++) {
    const [said, answer] = kind();
    if (!made.has(said)) made.set(said, answer);
  }
  return [...made];
}

/** One of four is held out: nothing that is asked afterwards was learned word by word. */
const made = kinds.flatMap(kind =>
  collect(kind).map((row, at) => ({ row, isHeldOut: at % 4 === 3, place: random() })),
);
const rows = made.sort((one, other) => one.place - other.place);
mkdirSync('data', { recursive: true });
for (const name of ['train', 'held-out']) {
  const part = rows.filter(({ isHeldOut }) => isHeldOut === (name === 'held-out'));
  const lines = part.map(({ row }, number) => `${JSON.stringify(toRow(row, number))}\n`);
  writeFileSync(`data/${name}.jsonl`, lines.join(''));
  console.log(`data/${name}.jsonl: ${part.length} rows`);
}
