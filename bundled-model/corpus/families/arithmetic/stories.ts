// Word problems: the story, a bar, and the answer in a sentence.
import { toList } from '../../values/lists/to-list.js';
import type { Operation } from './problems.js';

export const STORIES: Readonly<Record<Operation, readonly string[]>> = {
  plus: [
    '{name} has {a} {things}. {name2} gives {name} {b} more. How many {things} does {name} have now?|{name} now has {c} {things}.',
    '{name} has {a} {things} and {name2} has {b}. How many {things} do they have together?|Together they have {c} {things}.',
    'There are {a} {things} in the box. {name} puts {b} more in. How many {things} are in the box?|There are {c} {things} in the box.',
    '{name} buys {a} {things} on Monday and {b} on Tuesday. How many {things} is that?|{name} buys {c} {things}.',
    'On the table are {a} {things}, and on the floor are {b}. How many {things} are there?|There are {c} {things}.',
    '{name} sold {a} {things} in the morning and {b} in the evening. How many {things} were sold?|{name} sold {c} {things}.',
    'We had {a} {things}. Then {b} {things} came with the mail. How many do we have now?|We now have {c} {things}.',
    'A shop has {a} red {things} and {b} blue {things}. How many {things} are there in all?|There are {c} {things} in all.',
    '{name} found {a} {things} and later found {b} more. How many {things} did {name} find?|{name} found {c} {things}.',
    'One bag holds {a} {things}, the other holds {b}. How many {things} are in both bags?|There are {c} {things} in both bags.',
    '{name} counted {a} {things}. {name2} counted {b} others. How many {things} did they count?|They counted {c} {things}.',
    'The office ordered {a} {things} and then {b} more. How many {things} were ordered?|The office ordered {c} {things}.',
    '{name} needs {a} {things} for the kitchen and {b} for the hall. How many {things} does {name} need?|{name} needs {c} {things}.',
    'A train has {a} people in it. At the next stop {b} more get in. How many people are in the train?|There are {c} people in the train.',
  ],
  minus: [
    '{name} has {a} {things} and gives {b} to {name2}. How many {things} does {name} have left?|{name} has {c} {things} left.',
    'There are {a} {things} in the box. {name} takes {b} out. How many {things} are left?|There are {c} {things} left.',
    '{name} had {a} {things} but lost {b}. How many {things} does {name} still have?|{name} still has {c} {things}.',
    'A shop has {a} {things} and sells {b}. How many {things} are left?|There are {c} {things} left.',
    '{name} has {a} {things}. {name2} has {b} fewer. How many {things} does {name2} have?|{name2} has {c} {things}.',
    'We need {a} {things} and have {b}. How many {things} are missing?|We still need {c} {things}.',
    'Of {a} {things}, {b} are broken. How many {things} are fine?|There are {c} {things} that are fine.',
    'On the shelf were {a} {things}. {name} sold {b} of them. How many are still there?|There are still {c} {things}.',
    '{name} wants to paint {a} {things}. So far {b} are done. How many {things} are left to paint?|{name} has {c} {things} left to paint.',
    'There were {a} {things} on the tree. The wind took {b}. How many {things} are still there?|There are still {c} {things}.',
    '{name} has {a} {things} and {name2} has {b}. How many more {things} does {name} have?|{name} has {c} more {things}.',
    'We packed {a} {things} and unpacked {b} of them. How many {things} are still packed?|There are still {c} {things} packed.',
    '{name} pays with {a} dollars for something that costs {b} dollars. How much money does {name} get back?|{name} gets {c} dollars back.',
    '{a} people were in the room and {b} left. How many people are still in the room?|There are still {c} people in the room.',
  ],
  times: [
    '{name} has {a} boxes with {b} {things} in each. How many {things} is that?|That is {c} {things}.',
    'One bag holds {b} {things}. How many {things} do {a} bags hold?|They hold {c} {things}.',
    '{a} children have {b} {things} each. How many {things} do they have together?|Together they have {c} {things}.',
    'A ticket costs {b} dollars. How much do {a} tickets cost?|They cost {c} dollars.',
    '{name} buys {b} {things} every day for {a} days. How many {things} is that?|{name} buys {c} {things}.',
    'There are {a} tables with {b} {things} on each. How many {things} are there?|There are {c} {things}.',
    '{name} works {b} hours a day. How many hours is that in {a} days?|That is {c} hours.',
    'There are {a} rows with {b} {things} in every row. How many {things} are there?|There are {c} {things}.',
    '{a} friends each bring {b} {things}. How many {things} do they bring?|They bring {c} {things}.',
    'A shop sells {b} {things} an hour. How many {things} does it sell in {a} hours?|It sells {c} {things}.',
    'One pack has {b} {things}. {name} orders {a} packs. How many {things} does {name} get?|{name} gets {c} {things}.',
    '{name} reads {b} pages a day. How many pages does {name} read in {a} days?|{name} reads {c} pages.',
  ],
  parts: [
    '{b} friends share {a} {things} equally. How many {things} does each get?|Each gets {c} {things}.',
    '{name} puts {a} {things} into {b} boxes, the same number in each. How many {things} are in one box?|There are {c} {things} in one box.',
    '{a} {things} cost {total} dollars. They are packed in {b} equal packs. How many {things} are in a pack?|There are {c} {things} in a pack.',
    '{name} has {a} {things} and {b} shelves. Each shelf gets the same number. How many {things} go on a shelf?|On each shelf go {c} {things}.',
    '{b} tickets cost {a} dollars. How much is one ticket?|One ticket costs {c} dollars.',
    '{name} divides {a} {things} between {b} children. How many {things} does each child get?|Each child gets {c} {things}.',
    '{name} reads {a} pages in {b} days, the same number each day. How many pages are that a day?|That is {c} pages a day.',
    'In {b} equal rows stand {a} {things}. How many {things} are in one row?|There are {c} {things} in one row.',
    '{a} {things} go into {b} bags equally. How many {things} are in each bag?|There are {c} {things} in each bag.',
    'A team of {b} people carries {a} {things}, each the same number. How many {things} does one person carry?|One person carries {c} {things}.',
  ],
};

export const COMPARISONS = [
  '{name} has {a} {things} and {name2} has {b}. Who has more?|{more} has more.',
  '{name} is {a} years old and {name2} is {b}. Who is older?|{more} is older.',
  '{name} has {a} {things} and {name2} has {b}. Who has fewer?|{less} has fewer.',
  '{name} is {a} years old and {name2} is {b}. Who is younger?|{less} is younger.',
  '{name} paid {a} dollars and {name2} paid {b} dollars. Who paid more?|{more} paid more.',
  '{name} paid {a} dollars and {name2} paid {b} dollars. Who paid less?|{less} paid less.',
  '{name} sold {a} {things}. {name2} sold {b}. Who sold more?|{more} sold more.',
  '{name} read {a} pages and {name2} read {b}. Who read more?|{more} read more.',
  '{name} walked {a} steps. {name2} walked {b}. Who walked less?|{less} walked less.',
  'With {a} points for {name} and {b} points for {name2}, who wins?|{more} wins.',
  '{name} waited {a} minutes and {name2} waited {b}. Who waited longer?|{more} waited longer.',
  '{name} found {a} {things}, {name2} found {b}. Who found more?|{more} found more.',
];

export const THINGS = toList(`
apples bags balloons balls bananas baskets beads bells belts blankets books bottles bowls boxes brushes buckets buttons
cakes cameras candles cards carrots chairs cherries clocks coats coins cookies cups cushions desks dolls doors drums
eggs envelopes feathers flags flowers forks frames gifts glasses gloves grapes hammers hats helmets jackets jars jugs
keys kites knives ladders lamps leaves lemons letters lids magnets maps marbles masks melons mirrors mugs nails napkins
needles nuts onions oranges paintings pears pencils pens phones pictures pillows pins pizzas plants plates plums posters
pots potatoes pumpkins puzzles ribbons rings ropes rugs rulers scarves screws seeds shells shirts shoes socks spoons
stamps stars stickers sticks stones tents tickets tiles tomatoes towels toys trays umbrellas vases wheels whistles
`);
