// Plain words that sentences are filled with: they change from row to row, so that what stands around a value tells
// nothing about it. Both sides have them; the frames that they stand in are never shared.
import { toList } from '../../corpus/index.js';

const PEOPLE = toList(`
baker broker butcher caller cleaner clerk coach cook customer dentist doctor driver farmer gardener
guard guest judge lawyer manager neighbour nurse painter pilot plumber porter postman printer sailor singer
student tailor teacher tenant trainer visitor waiter
`);

/** All can have something written on them. */
const THINGS = toList(`
badge bag basket bell bill board book bottle box calendar card chart coat contract cover crate cup desk diary door
drawer file folder form gate jacket key label letter lid list mailbox map menu note notebook page
parcel photo plan poster receipt record register report screen sheet shelf sign sticker table tag ticket tray van wall
window
`);

const DEEDS = toList(`
added brought checked copied crossed deleted entered forgot found hid kept lost marked mentioned needed noted printed
read removed repeated saved saw sent showed spelled tried typed used wanted wrote
`);

const LOOKS = toList(`
big black blue broken clean dirty dry first free full green grey heavy last late light lost lower main new
next plain red right second small spare thick thin torn wet white wrong yellow
`);

const TIMES = [
  'after lunch',
  'again',
  'all day',
  'at home',
  'at night',
  'at noon',
  'at the end',
  'before six',
  'before the meeting',
  'by hand',
  'by mistake',
  'for me',
  'for the team',
  'in a hurry',
  'in big letters',
  'in May',
  'in the evening',
  'in the morning',
  'last week',
  'last year',
  'on Friday',
  'on Monday',
  'on Sunday',
  'this time',
  'three times',
  'today',
  'twice',
  'with a pen',
  'without asking',
  'yesterday',
];

/** What the places of a frame are filled with. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  person: PEOPLE,
  person2: PEOPLE,
  thing: THINGS,
  thing2: THINGS,
  did: DEEDS,
  look: LOOKS,
  when: TIMES,
  when2: TIMES,
};
