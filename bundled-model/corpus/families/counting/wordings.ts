// How people ask for a count.

export const WORDS = [
  'How many words are there?',
  'Count the words.',
  'How many words does the text have?',
  'What is the number of words?',
  'Give me the number of words in the text.',
  'How many words long is this?',
  'Tell me how many words this is.',
  'Count how many words you see.',
  'Say how many words the user wrote.',
  'I need the word count.',
  'Write the number of words, nothing else.',
];

export const WORDS_MESSAGES = [
  'How many words are in "{input}"?',
  'Count the words of "{input}".',
  'Number of words in "{input}"?',
  'Word count of "{input}":',
  'Can you count the words in "{input}"?',
  'The text "{input}" has how many words?',
  'I wrote "{input}". How many words is that?',
  'Please count these words: {input}',
];

export const LETTERS = [
  'How many letters does the word have?',
  'Count the letters.',
  'What is the number of letters?',
  'How many letters long is this word?',
  'Tell me the number of letters in the word.',
  'Give the number of letters.',
  'Of how many letters is the word made?',
  'Count how many letters there are.',
  'Say how long the word is, in letters.',
];

export const LETTERS_MESSAGES = [
  'How many letters are in {input}?',
  'Count the letters in "{input}".',
  'How long is the word {input}?',
  'Number of letters in {input}?',
  'How many letters does "{input}" have?',
  'The word {input} has how many letters?',
  'Can you count the letters of {input}?',
  'With how many letters is {input} written?',
];

export const ITEMS = [
  'How many items are on the list?',
  'Count the items.',
  'How many things are named?',
  'What is the number of items?',
  'How long is the list?',
  'Tell me how many items there are.',
  'How many entries does the list have?',
  'Count the entries of the list.',
  'Give me the number of things on the list.',
  'Say how many things are listed.',
];

export const ITEMS_MESSAGES = [
  'I bought {input}. How many things is that?',
  'How many items: {input}?',
  'My list: {input}. How many entries does it have?',
  'Count these: {input}',
  'On the table I see {input}. How many things are there?',
  'In my bag: {input}. How many things do I carry?',
  'We need {input}. How many things do we need?',
  'List: {input}\nNumber of items?',
  'Here is what we ordered: {input}. How many items did we order?',
];

export const TIMES = [
  'How often does {item} appear?',
  'How many times does {item} occur?',
  'Count how often {item} comes up.',
  'How many times do you see {item}?',
  'What is the number of times {item} appears?',
  'Count the entries that are {item}.',
  'How often is {item} on the list?',
  'Tell me how many times {item} is named.',
  'How many of these are {item}?',
];

export const TIMES_MESSAGES = [
  'How often is {item} in this list: {input}',
  'How many times is {item} named here? {input}',
  'Count {item}: {input}',
  'In "{input}", how often do you find {item}?',
  'List: {input}\nHow many times {item}?',
  'Look at {input}. How many are {item}?',
  'How many {item} are in: {input}',
  '{input} - how often does {item} come?',
];

export const LETTER_TIMES = [
  'How many times does the letter {item} occur?',
  'Count the letter {item}.',
  'How often is the letter {item} in the word?',
  'How many letters {item} are there?',
  'How often do you see the letter {item}?',
  'What is the number of times the letter {item} appears?',
  'Tell me how many times {item} is in the word.',
  'Count every {item} in the word.',
];

export const LETTER_TIMES_MESSAGES = [
  'How many times is the letter {item} in {input}?',
  'How often does {item} occur in "{input}"?',
  'Count the letter {item} in {input}.',
  'How many {item} does the word {input} have?',
  'In {input}, how many {item} are there?',
  'The word is {input}. How often is {item} in it?',
  'Is {item} in {input}? Say how many times.',
  'Number of {item} in "{input}"?',
];

export const STARTING = [
  'How many words begin with {item}?',
  'Count the words that start with {item}.',
  'How many of the words have {item} as the first letter?',
  'Tell me how many words start with the letter {item}.',
  'What is the number of words that begin with {item}?',
  'How many words start with {item}?',
  'Count all words with {item} at the start.',
  'Of these words, how many begin with the letter {item}?',
];

export const NUMBERS = [
  'How many numbers are in the text?',
  'Count the numbers.',
  'How many of these are numbers?',
  'What is the number of numbers here?',
  'Count the entries that are numbers, not words.',
  'Tell me how many numbers you see.',
  'How many entries are numbers?',
  'Only count the numbers. How many are there?',
];

export const LINES = [
  'How many lines are there?',
  'Count the lines.',
  'How many lines does the text have?',
  'What is the number of lines?',
  'Tell me how many lines this has.',
  'How many rows do you see?',
  'Count the rows.',
  'Say how many lines the list has.',
];

/** One question about several amounts; each slot is a number and a thing. */
export const WHO = [
  'How many {item} are there?',
  'What is the number of {item}?',
  'Tell me how many {item} there are.',
  'How many {item} does the text name?',
  'I want to know the number of {item}.',
  'Only the {item}: how many?',
  'Say how many {item} you read about.',
  'Look for the {item}. How many are there?',
];
