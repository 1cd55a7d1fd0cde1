// How one is asked for a label.

/** The labels stand in the sentence. */
export const IN_LINE: readonly string[] = [
  'Which {aspect} fits this {noun}? Choose from: {labels}.',
  'What is the {aspect} of this {noun}: {labels}?',
  'Classify this {noun} by {aspect}: {labels}.',
  'Sort this {noun} by {aspect}. The {word}s are {labels}.',
  'Choose one {word} for this {noun}: {labels}.',
  'Give the {noun} one of these {word}s: {labels}.',
  'Pick the {aspect}: {labels}.',
  'The {aspect} can be {labels}. Which one is it?',
  'Tell me the {aspect} of the {noun}. Use one of {labels}.',
  'Label the {noun} with its {aspect} ({labels}).',
  'Decide on the {aspect}: {labels}.',
  'What {aspect} does this {noun} have? Options: {labels}.',
  'Answer with one of these: {labels}. What is the {aspect} of the {noun}?',
  '{labels}: which {aspect} is right for this {noun}?',
  'Find the right {aspect} for this {noun}. Possible: {labels}.',
  'Please tag this {noun}. Tags for the {aspect}: {labels}.',
  'Read the {noun} and name its {aspect}. Choices: {labels}.',
  'Into which group does this {noun} go? Groups by {aspect}: {labels}.',
  'Reply with the {aspect} only, which is one of {labels}.',
  'Say which {aspect} it is. You may use {labels}.',
  'I sort by {aspect}: {labels}. Where does this {noun} belong?',
  'Assign a {word} to the {noun}. {word} set: {labels}.',
  'Give the {aspect}. Valid answers: {labels}.',
  'Which of {labels} is the {aspect} of this {noun}?',
  'Write down the {aspect} of the {noun}, using {labels}.',
  'Put the {noun} under one of these: {labels}. Look at the {aspect}.',
  'The {noun} needs its {aspect}. Take it from this list: {labels}.',
  'Task: {aspect}. Labels: {labels}.',
  '{aspect}? {labels}.',
  'Can you tell the {aspect} of this {noun}? It must be one of {labels}.',
  'How would you sort this {noun}? {aspect}: {labels}.',
  'Only one {word} is right for the {aspect} of this {noun}. The {word}s: {labels}.',
  'Help me sort my mail by {aspect}. I use {labels}.',
  'Mark the {noun} by its {aspect}; allowed: {labels}.',
];

/** The labels stand below. */
export const IN_LINES: readonly string[] = [
  'Choose the {aspect} of this {noun}:\n{labels}',
  'Which {aspect} fits? One of:\n{labels}',
  'Classify the {noun} by {aspect}. These are the {word}s:\n{labels}',
  'Give the {noun} one of these {word}s.\n{labels}',
  'What is the {aspect} of the {noun}?\n\n{labels}',
  'Sort the {noun} by {aspect}.\n\nLabels:\n{labels}',
  'Pick one of the following for the {aspect}:\n\n{labels}',
  'By {aspect}:\n{labels}\n\nWhich one fits the {noun}?',
  'These are the {word}s for the {aspect}:\n{labels}\nChoose the right one for this {noun}.',
  'Read the {noun}. Then choose its {aspect}:\n{labels}',
  'You may answer with one of these only:\n{labels}\n\nWhat is the {aspect} of the {noun}?',
  'Find the {aspect}. Options:\n{labels}',
  'Assign one {word}.\n{aspect}:\n{labels}',
  'List of {word}s ({aspect}):\n{labels}\n\nAnswer with the one that fits.',
  'We sort each {noun} by {aspect} into these groups:\n{labels}\nWhere does this one go?',
  'Label the {noun}. The {aspect} is one of:\n{labels}',
  'Here are my groups, by {aspect}:\n{labels}\n\nWhich group is right?',
  'Tag this {noun}.\nTags:\n{labels}',
  'Decide which {aspect} it is:\n{labels}',
  'Choices:\n{labels}\nQuestion: what is the {aspect} of this {noun}?',
];

/** What to write when the labels are codes for names. */
export const CODE_NOTES: readonly string[] = [
  'Answer with the {word}.',
  'Give only the {word}.',
  'Write the {word} and nothing else.',
  'Reply with the {word} only.',
  'I only need the {word}.',
  'Use the {word} as your answer.',
  'Your answer is the {word}.',
  'Just the {word}, please.',
  'Return the {word}.',
  'The answer is one {word}.',
  'Do not write the name, only the {word}.',
  'Answer by {word}.',
];

/** How the answer is to look, by way of a sample. */
export const FORM_NOTES: readonly string[] = [
  'Write it as {form}',
  'Answer in the form {form}',
  'Use this form: {form}',
  'Your answer must look like this: {form}',
  'Answer like this: {form}',
  'Format: {form}',
  'Reply exactly as {form}',
  'The answer has the form {form}',
  'Write your answer this way: {form}',
  'Output: {form}',
  'Return {form}',
  'Keep to this format: {form}',
];

export const CAPITAL_NOTES: readonly string[] = [
  'Write the {word} in capital letters.',
  'Answer in capitals.',
  'Use upper case.',
  'All letters of the answer must be capitals.',
  'Give the {word} in upper case.',
  'Write it all in capitals.',
  'The answer should be in upper case.',
  'Answer with the {word} in big letters only.',
  'Capital letters, please.',
];

export const OTHER_NOTES: readonly string[] = [
  'If none fits, answer {other}.',
  'Use {other} when nothing else fits.',
  'Answer {other} if it is none of these.',
  'For everything else write {other}.',
  'Say {other} if you find no match.',
  'When no {word} is right, the answer is {other}.',
  'If it belongs nowhere, write {other}.',
  'No match: {other}.',
  'Otherwise: {other}.',
];
