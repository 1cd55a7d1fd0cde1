// Sentences that say nothing about anybody.
export const FILLERS: readonly string[] = [
  'It was a cold day.',
  'The sun was shining.',
  'Everybody was in a good mood.',
  'Nobody was late.',
  'It had rained all night.',
  'The streets were full of people.',
  'All went well.',
  'There was a lot to do.',
  'The weather was better than before.',
  'No one complained.',
  'It was not easy.',
  'Most people know this.',
  'The coffee was good.',
  'Some thought that it was too early.',
  'The windows were open.',
  'That was a surprise.',
];
