// How an output format is asked for.

/** The format stands in the sentence, at its end. */
export const IN_LINE: readonly string[] = [
  'Reply as: {pattern}',
  'Answer in this format: {pattern}',
  'Write the {noun} as {pattern}',
  'Turn this {noun} into {pattern}',
  'Use this form: {pattern}',
  'Format: {pattern}',
  'Output: {pattern}',
  'Fill in: {pattern}',
  'I want it like this: {pattern}',
  'Convert the {noun} to this format: {pattern}',
  'Your answer must look like this: {pattern}',
  'Sum up the {noun} as {pattern}',
  'Give me {pattern}',
  'Make one line out of it: {pattern}',
  'Our format is {pattern}',
  'Put the {noun} into our form: {pattern}',
  'Read the {noun} and write {pattern}',
  'Each {noun} becomes {pattern}',
  'We file every {noun} as {pattern}',
  'Log this {noun} as {pattern}',
  'Reply with exactly this, filled in: {pattern}',
  'Take the facts from the {noun} and answer {pattern}',
  'Write a short record: {pattern}',
  'Bring the {noun} into the form {pattern}',
  'The team needs {pattern}',
  'Template: {pattern}',
  'Please use the template {pattern}',
  'Note it down like this: {pattern}',
  'Make an entry for this {noun}: {pattern}',
  'No other words, only {pattern}',
  'Rewrite it to match {pattern}',
  'For each {noun}, answer with {pattern}',
  'Respond with {pattern}',
  'Answer style: {pattern}',
];

/** The format stands below. */
export const IN_LINES: readonly string[] = [
  'Answer in this format:\n{pattern}',
  'Fill in this form from the {noun}:\n{pattern}',
  'Use this template:\n\n{pattern}',
  'Turn the {noun} into this:\n{pattern}',
  'Your answer looks like this:\n{pattern}',
  'Write the {noun} in our format.\n\n{pattern}',
  'Format:\n{pattern}',
  'Output format:\n{pattern}',
  'Read the {noun} and fill in:\n{pattern}',
  'We keep records like this:\n{pattern}\nWrite the record for this {noun}.',
  'Template:\n{pattern}\nFill it with what the {noun} says.',
  'Reply exactly in this form:\n\n{pattern}',
  'Make an entry like the one below.\n{pattern}',
  'Every {noun} is written down as follows:\n{pattern}',
  'Complete this:\n{pattern}',
  'Please bring the {noun} into this shape:\n{pattern}',
  'Here is the form:\n{pattern}\nNow fill it in.',
  'Rewrite the {noun} like this:\n{pattern}',
  'This is how an answer looks:\n{pattern}',
  'Copy the facts of the {noun} into this form:\n{pattern}',
  'The form to use:\n---\n{pattern}\n---',
  'Respond with the following, filled in:\n{pattern}',
];

/** In words, where cells stand in a row with the same sign between them. */
export const IN_WORDS: readonly string[] = [
  'Write {cells}, with {sign} between them.',
  'Give {cells}. Put {sign} in between.',
  'Answer with {cells}, separated by {sign}.',
  'I need {cells}, joined by {sign}.',
  'From this {noun}: {cells}. Separator: {sign}.',
  'One line, please: {cells}, divided by {sign}.',
  'Take {cells} from the {noun} and join them with {sign}.',
  'List {cells} in this order with {sign} between.',
  'Find {cells} in the {noun}. Use {sign} to separate them.',
  'Make a row of {cells}; the separator is {sign}.',
  'Put {cells} in a row and {sign} between two of them.',
  'Note {cells}. Between them stands {sign}.',
];

/** By examples alone. */
export const BY_EXAMPLE: readonly string[] = [
  'Do it like this.\n\n{examples}',
  'Follow the example.\n\n{examples}',
  '{examples}\n\nNow do the same.',
  'Here is how we write it:\n\n{examples}',
  'Write it in the same way.\n\n{examples}',
  'Look at this and go on:\n\n{examples}',
  'Answer in the style of this example:\n\n{examples}',
  '{examples}\n\nContinue like that.',
  'Example:\n\n{examples}',
  'Learn the format from here:\n\n{examples}',
  'Turn each {noun} into a record as shown.\n\n{examples}',
  'Our way to file a {noun}:\n\n{examples}',
  'This is what I want:\n\n{examples}',
  'Use the format that you see here.\n\n{examples}',
];

/** One example. */
export const EXAMPLES: readonly string[] = [
  '{text}\n=> {answer}',
  'Text: {text}\nAnswer: {answer}',
  'Input: {text}\nOutput: {answer}',
  '"{text}"\n{answer}',
  '{text}\n{answer}',
  'From: {text}\nTo: {answer}',
  'Q: {text}\nA: {answer}',
  '> {text}\n{answer}',
  '{text}\nbecomes\n{answer}',
  'In: {text}\nOut: {answer}',
];

export const MISSING_NOTES: readonly string[] = [
  'Write {empty} for what is missing.',
  'If something is not in the {noun}, put {empty}.',
  'Use {empty} when a value is not given.',
  'Missing: {empty}.',
  'What you cannot find becomes {empty}.',
  'Leave no gap, write {empty} instead.',
  'Where the {noun} says nothing, put {empty}.',
  'No value: {empty}.',
  'Anything that is not there is {empty}.',
  '{empty} stands for a missing value.',
  'When there is nothing to fill in, write {empty}.',
];

export const TOPIC_NOTES: readonly string[] = [
  'The {topic} is one of {options}.',
  'For {topic}, choose from {options}.',
  '{topic}: {options}.',
  'As {topic} use {options}.',
  'Possible for {topic}: {options}.',
  'Pick the {topic} from {options}.',
  'The {topic} can be {options}.',
  'Allowed as {topic}: {options}.',
  '{topic} must be {options}.',
  'Set {topic} to {options}.',
];

export const FLAG_NOTES: readonly string[] = [
  '{flag} is {yes} if there is {thing}, else {no}.',
  'Write {yes} for {flag} when the {noun} has {thing}, and {no} when not.',
  '{flag}: {yes} or {no}, by whether there is {thing}.',
  'For {flag}, say {yes} if you see {thing} and {no} if you do not.',
  'If the {noun} has {thing}, {flag} is {yes}, otherwise {no}.',
  '{flag} tells whether there is {thing} ({yes} or {no}).',
  'Set {flag} to {yes} if {thing} is given, or else to {no}.',
  '{flag} = {yes} with {thing}, {no} without.',
  'Does the {noun} have {thing}? Then {flag} is {yes}, if not {no}.',
];

export const CAPITAL_NOTES: readonly string[] = [
  'Write the {capital} in capital letters.',
  'The {capital} has to be in capitals.',
  'Put the {capital} in upper case.',
  'Use capital letters for the {capital}.',
  'The {capital} goes in upper case.',
  'All letters of the {capital} are capitals.',
  'Give the {capital} in capitals.',
  'Capitals for the {capital}, please.',
  'Make the {capital} upper case.',
];
