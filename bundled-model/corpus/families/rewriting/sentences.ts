// Sentences to be written in full or drawn together, joined by a word, or reported.

/** `in full | drawn together` */
export const CONTRACTIONS = [
  "I do not know where the {noun} is. | I don't know where the {noun} is.",
  "We are not in {city}. | We aren't in {city}.",
  "{name} is not here today. | {name} isn't here today.",
  "I am happy with the {noun}. | I'm happy with the {noun}.",
  "You are late, {name}. | You're late, {name}.",
  "It is a {adjective} {noun}. | It's a {adjective} {noun}.",
  "They will buy the {noun}. | They'll buy the {noun}.",
  "We cannot find the {adjective} {noun}. | We can't find the {adjective} {noun}.",
  "I have seen the {noun} in {city}. | I've seen the {noun} in {city}.",
  "She does not need a {noun}. | She doesn't need a {noun}.",
  "He did not call {name}. | He didn't call {name}.",
  "I would like the {adjective} {noun}. | I'd like the {adjective} {noun}.",
  "You should not open the {noun}. | You shouldn't open the {noun}.",
  "We have not heard from {name}. | We haven't heard from {name}.",
  "That is not my {noun}. | That isn't my {noun}.",
  "The {noun} was not {adjective}. | The {noun} wasn't {adjective}.",
  "They were not at {company}. | They weren't at {company}.",
  "{name} will not come on {date}. | {name} won't come on {date}.",
  "I could not open {product}. | I couldn't open {product}.",
  "What is the price of {product}? | What's the price of {product}?",
  "Where is the {noun} of {name}? | Where's the {noun} of {name}?",
  "We are waiting for {name}. | We're waiting for {name}.",
];

export const IN_FULL = [
  'Write the short forms in full.',
  'No contractions, please.',
  'Write out the short form.',
  'Replace the contraction by the full words.',
  'Spell the short forms out.',
  'Use no short forms like "it\'s".',
  'Take the contraction apart.',
  'Rewrite this without contractions.',
];

export const DRAWN_TOGETHER = [
  'Use the short form with an apostrophe.',
  'Write this with a contraction.',
  'Use a contraction.',
  'Draw the two words together with an apostrophe.',
  'Make it sound spoken: use the short form.',
  'Shorten the verb with an apostrophe.',
  'Rewrite this with a short form like "it\'s".',
  'Put in the contraction.',
];

/** Short statements to be joined or reported. */
export const FACTS = [
  'the {noun} is {adjective}',
  'the {noun} of {name} is {adjective}',
  'we have no {noun}',
  'they need a new {noun}',
  'the shop opens at {time}',
  'the train to {city} is late',
  'there is a {noun} near the {noun2}',
  'everybody likes the {adjective} {noun}',
  'the {product} costs {amount}',
  'it rains in {city}',
  'the order {order} is ready',
  'nobody knows where the {noun} is',
];

export const JOIN = [
  'Join the two sentences with "{word}".',
  'Make one sentence with "{word}".',
  'Connect the sentences with "{word}".',
  'Put "{word}" between the two sentences.',
  'Write this as one sentence. Use "{word}".',
  'Combine both sentences with the word "{word}".',
  'One sentence, please, with "{word}".',
  'Link the two parts with "{word}".',
];

export const REPORT = [
  'Write this with "that".',
  'Turn this into reported speech with "that".',
  'Report what was said, with "that".',
  'Take away the quotation marks and use "that".',
  'Rewrite this without quotation marks. Use "that".',
  'Change the direct speech to a sentence with "that".',
  'Say it in one sentence with "that".',
  'Put "that" in place of the quotation marks.',
];
