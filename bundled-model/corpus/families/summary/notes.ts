// Notes in an office, and short reports: what matters is one sentence, and the rest is around it.
import { toList } from '../../values/lists/to-list.js';
import type { Matter } from './mails.js';

export const NOTES: readonly Matter[] = [
  {
    summary: 'The meeting with {name} moves to {date} at {time}.',
    subject: 'Meeting with {name}: {date}, {time}',
    texts: [
      'We have to move the meeting with {name}. The new date is {date} at {time}.',
      '{name} has no time this week, so we meet on {date} at {time} instead.',
      'The meeting with {name} is now on {date}. It starts at {time}.',
      'Change in plans: we see {name} on {date} at {time}.',
      '{name} asked for another day. It will be {date}, {time}.',
      'Please note the new time for {name}: {date}, {time}.',
    ],
  },
  {
    summary: 'The meeting on {date} is canceled.',
    subject: 'No meeting on {date}',
    texts: [
      'There will be no meeting on {date}.',
      'We do not meet on {date}.',
      'The meeting on {date} is off.',
      'I had to cancel our meeting on {date}.',
      'Please take the meeting on {date} out of your plans. It will not happen.',
      'Half of the team is ill, so forget the meeting on {date}.',
    ],
  },
  {
    summary: '{name} is away until {date}, and {name2} takes over.',
    subject: '{name} away until {date}',
    texts: [
      '{name} is not here until {date}. Please ask {name2}.',
      '{name} is on holiday until {date}. {name2} does the work.',
      'Until {date}, {name2} answers the mails of {name}, who is away.',
      '{name} is ill and comes back on {date}. {name2} helps out.',
      'If you need {name}, talk to {name2}. {name} is away until {date}.',
      'From now until {date} we are without {name}. {name2} will step in.',
    ],
  },
  {
    summary: '{name} called and asks for a call back at {phone}.',
    subject: 'Call {name} back at {phone}',
    texts: [
      '{name} called. The number is {phone}. Please call back.',
      'You missed a call from {name}. You can call back at {phone}.',
      'Please ring {name} at {phone}. It was about the bill.',
      '{name} tried to reach you and left the number {phone}.',
      'There was a call from {name}, who waits for your call at {phone}.',
      'Phone note: {name}, {phone}, wants to hear from you.',
    ],
  },
  {
    summary: 'The {device} in the office is broken and will be repaired on {date}.',
    subject: 'Broken {device}: repair on {date}',
    texts: [
      'The {device} in the office is broken. Somebody comes on {date} to repair it.',
      'Do not use the {device} in the office. It will be repaired on {date}.',
      'Our {device} in the office broke. The repair is planned for {date}.',
      'On {date} a man will repair the broken {device} in the office.',
      'The {device} in the office no longer works. We wait for the repair on {date}.',
      'Bad luck: the office {device} broke. It gets repaired on {date}.',
    ],
  },
  {
    summary: '{name} starts at {company} on {date}.',
    subject: '{name} starts on {date}',
    texts: [
      'We have a new colleague. {name} starts at {company} on {date}.',
      'From {date} on, {name} works with us at {company}.',
      'The first day of {name} at {company} is {date}.',
      'On {date} we welcome {name} at {company}.',
      '{name} signed the contract. The work at {company} begins on {date}.',
      'Good news for {company}: {name} joins us on {date}.',
    ],
  },
];

export const REPORTS: readonly Matter[] = [
  {
    summary: '{company} ordered {product} for {amount}.',
    subject: 'Order from {company}: {amount}',
    texts: [
      '{company} was on the phone today. They ordered {product}. The price is {amount}.',
      'We sold {product} to {company}. They pay {amount}.',
      'New order: {product} for {company}. We agreed on {amount}.',
      'After a long talk, {company} took {product} for {amount}.',
      '{company} wants {product} and pays {amount}. The contract is signed.',
      'I visited {company}. They liked {product} and ordered it for {amount}.',
    ],
  },
  {
    summary: 'In {city}, {count} people came to the event on {date}.',
    subject: 'Event in {city}: {count} people',
    texts: [
      'The event in {city} took place on {date}. {count} people came.',
      'On {date} we were in {city}. There were {count} people at the event.',
      '{count} people came to our event. It was on {date} in {city}.',
      'We planned for more, but on {date} in {city} only {count} people came to the event.',
      'Our event in {city} is over. It was {date}, and we counted {count} people.',
      'Rain all day in {city} on {date}. Still, {count} people came to the event.',
    ],
  },
  {
    summary: 'The repair of {product} cost {amount}.',
    subject: 'Repair of {product}: {amount}',
    texts: [
      '{product} is repaired. We paid {amount}.',
      'The repair shop sent the bill for {product}. It is {amount}.',
      '{product} works again. The repair was {amount}.',
      'It took two days to repair {product}, and it cost {amount}.',
      'We had to change a part of {product}. The repair cost {amount}.',
      'The bill for the repair of {product} is here. It says {amount}.',
    ],
  },
  {
    summary: '{name} sold the most tickets for {city}, {count} in all.',
    subject: 'Most tickets: {name} with {count}',
    texts: [
      'Nobody sold more tickets for {city} than {name}. It was {count}.',
      'We sold many tickets for {city}. The best was {name} with {count}.',
      '{name} sold {count} tickets for {city}. The others sold fewer.',
      'First place goes to {name}, who sold {count} tickets for {city}.',
      '{count} of the tickets for {city} were sold by {name}, more than by anybody else.',
      'The team did well with the tickets for {city}. {name} leads with {count} of them.',
    ],
  },
  {
    summary: 'The train from {city} was late, so {name} missed the meeting at {time}.',
    subject: '{name} missed the meeting at {time}',
    texts: [
      '{name} came from {city}, but the train was late. The meeting at {time} was over.',
      'Because of a late train from {city}, {name} was not at the meeting at {time}.',
      'The meeting at {time} took place without {name}. The train from {city} was late.',
      '{name} sat in a late train from {city} and missed the {time} meeting.',
      'We waited for {name} at {time}. The train from {city} came too late for the meeting.',
      'The train from {city} stood still for an hour. So {name} missed the meeting at {time}.',
    ],
  },
  {
    summary: '{name} checked the {device} in {city} and found nothing wrong.',
    subject: 'Check of the {device} in {city}: fine',
    texts: [
      '{name} went to {city} to check the {device}. Everything is fine.',
      'The {device} in {city} is all right. {name} checked it.',
      'We sent {name} to {city} because of the {device}. There is no problem.',
      'The check of the {device} in {city} is done. {name} found no fault.',
      '{name} looked at the {device} in {city} for an hour. It is in order.',
      'No fault was found in {city}. {name} checked the whole {device}.',
    ],
  },
];

/** What breaks or is looked after. */
export const DEVICES = toList(`
alarm, battery, boiler, camera, clock, coffee machine, computer, copier, dishwasher, door, door bell, drill, elevator,
engine, fan, fence, fire alarm, fridge, gate, generator, heater, kettle, keyboard, lamp, light, lock, machine, microwave,
mirror, mixer, monitor, oven, phone, printer, projector, pump, radio, roof, scanner, screen, shelf, sink, sofa, speaker,
tap, thermostat, toaster, toilet, vacuum cleaner, water tank, window
`);

export const ASIDES = [
  'The weather was bad that day.',
  'More about this next week.',
  'Please tell the others.',
  'If you have questions, just ask.',
  'I will write more later.',
  'The coffee machine is also empty.',
  'We talked about it at lunch.',
  'Nobody had expected that.',
  'I put a copy on your desk.',
  'This is just so that you know.',
  'There is nothing more to do for now.',
  'All in all it was a good day.',
  'Please read this today.',
  'The boss knows about it.',
];
