// How one is asked to take something out of a text.

/** One sign for all. */
export const ONE_SIGN: readonly string[] = [
  'Replace {targets} with {sign}.',
  'Put {sign} in place of {targets}.',
  'Hide {targets} in this {noun} with {sign}.',
  'Rewrite the {noun} with {sign} instead of {targets}.',
  'Write {sign} for {targets} and keep the rest.',
  'Change {targets} to {sign}.',
  'Take out {targets} and leave {sign} there.',
  'Copy the {noun}, but write {sign} for {targets}.',
  'Remove {targets} from the {noun}. Put {sign} where they were.',
  'Mask {targets} with {sign}.',
  'Make this {noun} anonymous: {targets} become {sign}.',
  'I want to share this {noun}. Replace {targets} by {sign}, please.',
  'Repeat the {noun} word for word, only with {sign} for {targets}.',
  'Every one of {targets} must become {sign}.',
  'Swap {targets} for {sign}.',
  'Can you cover {targets} with {sign}?',
  'Nobody may see {targets}. Use {sign} instead.',
  'Redact {targets} (use {sign}).',
  'Redact this {noun}. Write {sign} in place of {targets}.',
  'Use {sign} for {targets}. Do not change anything else.',
  'Give me the {noun} back with {sign} in place of {targets}.',
  'Strip {targets} from the {noun}; {sign} goes there.',
  'Blank out {targets}: {sign}.',
  'Protect {targets} by writing {sign}.',
  'Where the {noun} has {targets}, write {sign}.',
  'Clean the {noun}: {targets} -> {sign}.',
  'The {noun} must not show {targets}. Put {sign} there and copy the rest exactly.',
  'Please black out {targets} with {sign}.',
];

/** A sign for each kind. */
export const MANY_SIGNS: readonly string[] = [
  'Replace {pairs}.',
  'Rewrite the {noun} and replace {pairs}.',
  'Make these replacements in the {noun}: {pairs}.',
  'Copy the {noun} and replace {pairs}. Keep everything else.',
  'Redact the {noun}: {pairs}.',
  'Mask private data as follows: {pairs}.',
  'Make the {noun} anonymous: {pairs}.',
  'Use these tags: {pairs}.',
  'Change this in the {noun}: {pairs}.',
  'Take out private data. Tags: {pairs}.',
  'Write the {noun} again with tags: {pairs}.',
  'Put tags into the {noun}: {pairs}.',
  'Hide what is private: {pairs}. The rest stays as it is.',
  'Nothing but this may change: {pairs}.',
  'Here is what to replace: {pairs}.',
  'Before we share the {noun}, replace {pairs}.',
  'Apply these rules to the {noun}: {pairs}.',
  'Our rules for privacy: {pairs}. Apply them.',
  'Return the same {noun} with tags ({pairs}).',
  'Tag the {noun}: {pairs}.',
];

export const MANY_SIGNS_IN_LINES: readonly string[] = [
  'Replace in this {noun}:\n{lines}',
  'Rules:\n{lines}\nRewrite the {noun} by these rules.',
  'Redact the {noun} with these tags:\n{lines}',
  'Use these tags and copy the rest:\n{lines}',
  'Make the following changes to the {noun}:\n{lines}',
  'Anonymous version, please. Tags:\n{lines}',
  'Rewrite the {noun}. What to replace:\n{lines}',
  'What becomes what:\n{lines}\nChange nothing else in the {noun}.',
  'Private data goes out:\n{lines}',
  'Tags to use:\n{lines}',
];

export const BY_INITIALS: readonly string[] = [
  'Replace each name with its initials, like {sample}.',
  'Write only the initials of people, as in {sample}.',
  'Shorten all names to initials ({sample}). Keep the rest.',
  'Names must become initials such as {sample}.',
  'Rewrite the {noun} with initials instead of names. Form: {sample}.',
  'Use initials for the people in the {noun}, like {sample}.',
  'Change names to initials in the form {sample}.',
  'Copy the {noun}, but cut every name down to its initials: {sample}.',
  'Only initials for names, please: {sample}.',
  'Instead of a name, write its first letters like this: {sample}.',
];

export const BY_NUMBER: readonly string[] = [
  'Replace the names with {one}, {two} and so on.',
  'Number the people: the first name becomes {one}, the second {two}.',
  'Write {one} for the first person and {two} for the next.',
  'Names become {one}, {two}, in the order of the {noun}.',
  'Rewrite the {noun} with {one}, {two}, … in place of names.',
  'Hide names behind numbers ({one}, {two}).',
  'Call the people in the {noun} {one}, {two} and so on. Keep all else.',
  'Use {one} and {two} instead of the names.',
  'The first person is {one}, the second is {two}. Copy the {noun} that way.',
  'Put {one}, {two} and so on where names stand.',
];

/** Certain values, named in the prompt. */
export const BY_VALUE: readonly string[] = [
  'Replace {swaps}.',
  'Change {swaps} in this {noun}.',
  'Rewrite the {noun} and change {swaps}.',
  'Copy the {noun}, but change {swaps}.',
  'In this {noun}, replace {swaps}.',
  'Swap {swaps}. Keep the rest as it is.',
  'Please correct the {noun}: {swaps}.',
  'Write the {noun} again with this change: {swaps}.',
  'There is a mistake in the {noun}. Change {swaps}.',
  'Give me the same {noun} with one thing different: {swaps}.',
  'Update the {noun}: {swaps}.',
  'Find and replace: {swaps}.',
  'Repeat the {noun} with {swaps}.',
  'Edit the {noun} like this: {swaps}.',
];
