// How people ask for an order, or for what stands at one end of it.

export const WORDS_UP = [
  'Sort the words from A to Z.',
  'Put the words in alphabetical order.',
  'Sort this alphabetically.',
  'Order these words from A to Z.',
  'Arrange the words by the alphabet.',
  'Write the words in ABC order.',
  'Bring the words into alphabetical order.',
  'List these from A to Z.',
  'Alphabetical order, please.',
  'Sort the list by the alphabet.',
];

export const WORDS_DOWN = [
  'Sort the words from Z to A.',
  'Put the words in reverse alphabetical order.',
  'Order these words from Z to A.',
  'Sort this alphabetically, but backwards.',
  'Arrange the words from Z to A.',
  'List these from Z to A.',
  'Sort the list by the alphabet, Z first.',
  'Write the words in order, beginning with Z.',
];

export const NUMBERS_UP = [
  'Sort the numbers from small to large.',
  'Put the numbers in ascending order.',
  'Sort these numbers, smallest first.',
  'Order the numbers from low to high.',
  'Arrange the numbers from the smallest to the biggest.',
  'Sort ascending.',
  'List the numbers, starting with the smallest.',
  'Bring the numbers into order, lowest first.',
  'Write these numbers in rising order.',
  'Sort the list so that it goes up.',
];

export const NUMBERS_DOWN = [
  'Sort the numbers from large to small.',
  'Put the numbers in descending order.',
  'Sort these numbers, biggest first.',
  'Order the numbers from high to low.',
  'Arrange the numbers from the biggest to the smallest.',
  'Sort descending.',
  'List the numbers, starting with the biggest.',
  'Bring the numbers into order, highest first.',
  'Write these numbers in falling order.',
  'Sort the list so that it goes down.',
];

export const REVERSE = [
  'Reverse the list.',
  'Write the list backwards.',
  'Turn the order around.',
  'Put the list in reverse order.',
  'Start with the last and end with the first.',
  'Give me the items in the opposite order.',
  'Write the items from last to first.',
  'Flip the order of the list.',
  'Read the list from the end.',
  'Same items, reverse order.',
];

export const LONGEST = [
  'Which word is the longest?',
  'Find the longest word.',
  'What is the longest word?',
  'Give me the longest of these words.',
  'Which of the words has the most letters?',
  'Write only the longest word.',
  'Name the word with the most letters.',
  'Pick the longest word.',
];

export const SHORTEST = [
  'Which word is the shortest?',
  'Find the shortest word.',
  'What is the shortest word?',
  'Give me the shortest of these words.',
  'Which of the words has the fewest letters?',
  'Write only the shortest word.',
  'Name the word with the fewest letters.',
  'Pick the shortest word.',
];

export const BIGGEST = [
  'Which number is the biggest?',
  'Find the largest number.',
  'What is the highest number?',
  'Give me the biggest of these numbers.',
  'Which of these is the most?',
  'Write only the largest number.',
  'What is the maximum?',
  'Pick the biggest number.',
  'Name the highest of these.',
];

export const SMALLEST = [
  'Which number is the smallest?',
  'Find the smallest number.',
  'What is the lowest number?',
  'Give me the smallest of these numbers.',
  'Which of these is the least?',
  'Write only the smallest number.',
  'What is the minimum?',
  'Pick the lowest number.',
  'Name the smallest of these.',
];

export const FIRST = [
  'What is the first item?',
  'Which one comes first in the list?',
  'Give me the first of the list.',
  'Write only the first item.',
  'What does the list start with?',
  'Name the first entry.',
  'Which item is at the top of the list?',
  'Copy the first entry.',
];

export const LAST = [
  'What is the last item?',
  'Which one comes last in the list?',
  'Give me the last of the list.',
  'Write only the last item.',
  'What does the list end with?',
  'Name the last entry.',
  'Which item is at the end of the list?',
  'Copy the last entry.',
];

export const EARLIEST = [
  'Which of these comes first in the alphabet?',
  'Which word is first from A to Z?',
  'If you sort these from A to Z, which is first?',
  'Name the word that comes first in the alphabet.',
  'Which word stands first in a dictionary?',
  'What is the first word in alphabetical order?',
  'Only the word that is first by the alphabet.',
  'Find the word nearest to A.',
];

/** The other end: both are asked of the same lists. */
export const LATEST = [
  'Which of these comes last in the alphabet?',
  'Which word is last from A to Z?',
  'If you sort these from A to Z, which is last?',
  'Name the word that comes last in the alphabet.',
  'Which word stands last in a dictionary?',
  'What is the last word in alphabetical order?',
  'Only the word that is last by the alphabet.',
  'Find the word nearest to Z.',
];

export const MESSAGES: Readonly<Record<'up' | 'down' | 'back', readonly string[]>> = {
  up: [
    'Sort {input}.',
    'Sort this list: {input}',
    'Can you put these in order? {input}',
    'Please sort: {input}',
    'I need these in order: {input}',
    'Put {input} in order.',
    'In order, please: {input}',
    'What is the right order of {input}?',
  ],
  down: [
    'Sort {input} in descending order.',
    'Sort this list in descending order: {input}',
    'Can you sort these downwards? {input}',
    'Descending order, please: {input}',
    'I need these in falling order: {input}',
    'Put {input} in descending order.',
    'Biggest first, please: {input}',
    'Sort from high to low: {input}',
    'From the highest to the lowest: {input}',
  ],
  back: [
    'Reverse {input}.',
    'Reverse this list: {input}',
    'Write these backwards, last one first: {input}',
    'Turn this list around: {input}',
    'What is {input} in reverse?',
    'Can you reverse the order of {input}?',
    'The other way round, please: {input}',
    'From last to first: {input}',
  ],
};
