// How a glossary is given. `{glossary}` begins with a space or, when it is of several lines, with a line break.

export const TERMS = [
  'Glossary:{glossary}\nReplace the words in the text.',
  'Use this glossary:{glossary}\nWrite the text with the new words.',
  'These words must be used:{glossary}\nChange the text.',
  'Word list:{glossary}\nPut the words of the list into the text.',
  'Here are our terms:{glossary}\nUse them in the text.',
  'Replace words by this list:{glossary}\nLeave all other words as they are.',
  'We have our own words:{glossary}\nRewrite the text with them.',
  'Follow the glossary.{glossary}\nGive only the new text.',
  'Our terms are:{glossary}\nPut them in and change nothing else.',
  'Take the words on the right for the words on the left:{glossary}\nChange the text.',
  'Translate with this list only:{glossary}\nKeep all other words.',
  'Mapping:{glossary}\nApply it to the text.',
  'In this text, use the following words:{glossary}\nThe rest stays the same.',
  'Terms to use:{glossary}\nWrite the text again with these terms.',
];

export const WORD_BY_WORD = [
  'Glossary:{glossary}\nTranslate word by word.',
  'Translate each word with this list:{glossary}\nKeep the order.',
  'This is a secret language:{glossary}\nTranslate the words.',
  'Dictionary:{glossary}\nTranslate what the user writes.',
  'Here is a small dictionary:{glossary}\nReplace each word.',
  'Every word has another word for it:{glossary}\nWrite the other words.',
  'Mapping:{glossary}\nMap every word.',
  'Learn these words:{glossary}\nNow translate.',
  'Use this table:{glossary}\nChange each word to what the table says.',
  'Word pairs:{glossary}\nGive the right side for each word.',
  'Look up each word:{glossary}\nAnswer with what you find, in the same order.',
  'Here are word pairs:{glossary}\nTurn each word into its partner.',
];

export const CODES = [
  'Codes:{glossary}\nWhat does the code mean?',
  'These are our codes:{glossary}\nGive the meaning.',
  'Meaning of the codes:{glossary}\nWrite what the code stands for.',
  'Here is the key:{glossary}\nWhat does this stand for?',
  'Code table:{glossary}\nName the meaning of the code.',
  'Levels:{glossary}\nWhich level is this?',
  'Each code stands for a word:{glossary}\nWhich word is it?',
  'Use this code list:{glossary}\nDecode the input.',
  'Legend:{glossary}\nExplain the sign with the word from the legend.',
  'The codes are:{glossary}\nTurn the code into its word.',
];

export const ENCODE = [
  'Codes:{glossary}\nWrite the code for the word.',
  'These are our codes:{glossary}\nWhich code is right?',
  'Here is the code list:{glossary}\nGive the code.',
  'Code table:{glossary}\nFind the code that stands for the word.',
  'Each code stands for a word:{glossary}\nWhich code is it?',
  'Use this code list:{glossary}\nEncode the input.',
  'Legend:{glossary}\nWhich sign stands for this?',
  'The codes are:{glossary}\nTurn the word into its code.',
  'Table:{glossary}\nWrite what stands on the left of this.',
];

export const INSTEAD = [
  'Never write {from}, write {to}. Correct the text.',
  'We say {to} instead of {from}. Change the text.',
  'Our word for {from} is {to}. Use it in the text.',
  'In our house {from} is called {to}. Rewrite the text.',
  'Always use {to} for {from}. Write the text again.',
  'The word {from} is not allowed. Use {to}.',
  'Call the {from} {to}. Keep the rest of the text.',
  'By our style guide, {from} is {to}. Apply it.',
  'Style rule: {to}, not {from}. Write the text that way.',
  'Please say {to} where I say {from}.',
];

/** For one rule; several are put next to each other. */
export const RULES = [
  'Write {kind} as {to}.',
  'Write {kind} like this: {to}.',
  '{kind} must look like {to}.',
  'Format {kind} like {to}.',
  'For {kind}, use the form {to}.',
  'Our way to write {kind} is {to}.',
  'Change {kind} from {from} to the form {to}.',
  'Write {kind} this way: {from} becomes {to}.',
  'Use {to} as the pattern for {kind}.',
  'In {kind}, {from} is written {to}.',
  'All {kind} are written like {to}.',
  'We write {to}, not {from}.',
];

export const BY_RULES = [
  '{rules} Apply this to the text.',
  '{rules} Change the text.',
  '{rules} Keep everything else.',
  'Style rules: {rules} Correct the text.',
  'Follow these rules. {rules} Rewrite the text.',
  'House style: {rules} Write the text again.',
  '{rules} Nothing else may change.',
  'Our rules: {rules} Rewrite the text by them.',
  'Notation: {rules} Bring the text into this form.',
  '{rules} Give me the corrected text.',
];
