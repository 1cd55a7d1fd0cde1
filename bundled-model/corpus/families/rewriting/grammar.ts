// Sentences whose tense, form or subject is changed: verbs with their forms, subjects, and what may follow.

/** Base form, past, past participle, -ing; the third person is formed by rule. */
export const VERB_ROWS = `
open opened opened opening
close closed closed closing
clean cleaned cleaned cleaning
paint painted painted painting
repair repaired repaired repairing
move moved moved moving
lift lifted lifted lifting
wash washed washed washing
push pushed pushed pushing
pull pulled pulled pulling
watch watched watched watching
carry carried carried carrying
copy copied copied copying
count counted counted counting
cover covered covered covering
fill filled filled filling
order ordered ordered ordering
pack packed packed packing
save saved saved saving
use used used using
visit visited visited visiting
help helped helped helping
find found found finding
lose lost lost losing
buy bought bought buying
sell sold sold selling
bring brought brought bringing
take took taken taking
give gave given giving
see saw seen seeing
write wrote written writing
draw drew drawn drawing
break broke broken breaking
choose chose chosen choosing
hide hid hidden hiding
hold held held holding
keep kept kept keeping
leave left left leaving
make made made making
send sent sent sending
build built built building
catch caught caught catching
drive drove driven driving
steal stole stolen stealing
wear wore worn wearing
throw threw thrown throwing
lock locked locked locking
check checked checked checking
return returned returned returning
test tested tested testing
`;

/** What follows the verb. */
export const OBJECTS = [
  'the {noun}',
  'the {adjective} {noun}',
  'the {noun} of {name2}',
  'the {noun} and the {noun2}',
  'a {adjective} {noun}',
  'this {noun}',
  '{product}',
  'the {noun} near the {noun2}',
  'the {noun} in {city}',
  'every {noun}',
  'our {noun}',
  '{count} boxes',
];

export type Change =
  | 'past'
  | 'present'
  | 'future'
  | 'running'
  | 'negative'
  | 'question'
  | 'passive'
  | 'person';

export const CHANGES: Readonly<Record<Change, readonly string[]>> = {
  past: [
    'Put this into the past.',
    'Write the sentence in the past tense.',
    'Change the verb to the past.',
    'Say that it happened in the past.',
    'Rewrite this in the past tense.',
    'This was yesterday. Change the verb.',
    'Use the past form of the verb.',
    'Turn this into the past tense.',
  ],
  present: [
    'Put this into the present.',
    'Write the sentence in the present tense.',
    'Change the verb to the present.',
    'Rewrite this in the present tense.',
    'Say that it happens now.',
    'Use the present form of the verb.',
    'Turn this into the present tense.',
    'This is today. Change the verb.',
  ],
  future: [
    'Put this into the future.',
    'Write the sentence in the future with "will".',
    'Change the verb to the future.',
    'Rewrite this with "will".',
    'Say that it is going to happen, with "will".',
    'Use the future form of the verb.',
    'Turn this into the future tense.',
    'This is tomorrow. Use "will".',
  ],
  running: [
    'Write what is happening right now, with -ing.',
    'Use the -ing form.',
    'Put the verb into the -ing form.',
    'Say that it is going on at this moment.',
    'Rewrite this with the verb in -ing.',
    'Change the sentence to the progressive form.',
    'Make it an -ing sentence.',
    'Say that it is being done right now, with -ing.',
  ],
  negative: [
    'Make the sentence negative.',
    'Say the opposite with "not".',
    'Put "not" into the sentence.',
    'Turn this into a negative sentence.',
    'Deny this with "does not" or "do not".',
    'Rewrite this with "not".',
    'Say that this is not so.',
    'Write the negative form.',
  ],
  question: [
    'Make this a yes or no question.',
    'Turn the sentence into a question.',
    'Ask whether this is so.',
    'Write the sentence as a question.',
    'Form a question with "do" or "does".',
    'Change the statement to a question.',
    'Put a question in place of this sentence.',
    'Rewrite it as a question.',
  ],
  passive: [
    'Put this into the passive.',
    'Write the sentence in the passive voice.',
    'Begin with the thing, not with the person.',
    'Change this to a passive sentence.',
    'Use the passive with "by".',
    'Turn the sentence around with "by".',
    'Rewrite this in the passive voice.',
    'Make it passive.',
  ],
  person: [
    'Write this about {name} instead of me.',
    'Change "I" to {name}.',
    'Tell this about {name}.',
    'Not I, but {name}. Rewrite it.',
    'Put {name} in place of "I".',
    'Replace "I" by {name} and change the verb.',
    'It is about {name}. Change the sentence.',
    'Use {name} as the subject.',
  ],
};
