// How an instruction and the text that it is about stand together in a message, and how examples are shown.

/** Both are one line. */
export const INLINE: readonly string[] = [
  '{ask} {text}',
  '{ask} "{text}"',
  '{ask}: {text}',
  '{ask}: "{text}"',
  '{ask} Text: {text}',
  '{ask} Text: "{text}"',
  '{ask} -> {text}',
  '{ask} ({text})',
  "{ask} '{text}'",
  '{ask} Here it is: {text}',
  '{ask} / {text}',
  '{ask} | {text}',
  '{ask} Input: {text}',
  '{ask} [{text}]',
];

/** The text comes below. */
export const BELOW: readonly string[] = [
  '{ask}\n\n{text}',
  '{ask}\n{text}',
  '{ask}\n\n"{text}"',
  '{ask}\n\nText: {text}',
  '{ask}\n\nText:\n{text}',
  '{ask}\n---\n{text}\n---',
  '{ask}\n\n---\n{text}',
  '{ask}\n\n<text>\n{text}\n</text>',
  '{ask}\n\n"""\n{text}\n"""',
  '{ask}\n\nInput:\n{text}',
  '{ask}\n\nInput: {text}',
  '{ask}\n\n{text}\n\nAnswer:',
  '{ask}\n\nText: {text}\nAnswer:',
  '{ask}\n\n```\n{text}\n```',
  '{ask}\n\n> {text}',
  '{ask}\n\nHere is the text:\n{text}',
  'Task: {ask}\nText: {text}',
  'Task: {ask}\n\n{text}',
  '{ask}\n\nIt says:\n{text}',
  '{ask}\n\n[START]\n{text}\n[END]',
  '### Task\n{ask}\n\n### Text\n{text}',
  '{ask}\n\n{text}\n\nOutput:',
  '{ask}\n***\n{text}\n***',
];

/** The text comes first. */
export const ABOVE: readonly string[] = [
  '{text}\n\n{ask}',
  '"{text}"\n\n{ask}',
  'Text: {text}\n\n{ask}',
  'Text:\n{text}\n\nTask: {ask}',
  '---\n{text}\n---\n{ask}',
  '<text>{text}</text>\n{ask}',
  'Here is a text:\n\n{text}\n\n{ask}',
  'Read this:\n{text}\n\n{ask}',
  'I got this: "{text}"\n\n{ask}',
  'Input: {text}\n\n{ask}',
  '> {text}\n\n{ask}',
  '"""\n{text}\n"""\n\n{ask}',
  'This came in today:\n{text}\n\n{ask}',
  '{text}\n---\n{ask}',
  'Look at this text:\n"{text}"\n\n{ask}',
  '### Text\n{text}\n\n### Task\n{ask}',
];

/** How the instruction stands in a system prompt. */
export const SYSTEMS: readonly string[] = [
  '{ask}',
  'You are a helpful assistant. {ask}',
  'You read what people write. {ask}',
  '{ask} Answer with nothing else.',
  'The user sends you texts. {ask}',
  'You work for a small company. {ask}',
  'Your only task: {ask}',
  'Every message of the user is a text. {ask}',
  '{ask} Do not explain your answer.',
  'You help in an office. {ask}',
  'Instructions: {ask}',
  'You are part of a program. {ask}',
  'For each text that you get: {ask}',
  'You are a careful reader. {ask}',
  '{ask} Write only the answer.',
  'Task: {ask}',
  'You sort the mail of a team. {ask}',
  'Do the same with each text. {ask}',
];

/** The same for an instruction of several lines, or one that ends in a pattern. */
export const SYSTEMS_APART: readonly string[] = [
  'Every message is a text to work on.\n{ask}',
  'You are a helpful assistant.\n{ask}',
  'You are a helpful assistant.\n\n{ask}',
  'The user sends you texts.\n{ask}',
  'Your only task:\n{ask}',
  'Instructions:\n{ask}',
  'You are part of a program. Do not explain anything.\n{ask}',
  'You work in an office.\n\n{ask}',
  '# Task\n{ask}',
  'Do the same with every text of the user.\n{ask}',
  '{ask}\n\nWrite nothing else.',
  '{ask}\n\nOnly the answer, please.',
];

/** What the user sends when the system prompt says what to do. */
export const BARE: readonly string[] = [
  '{text}',
  '"{text}"',
  'The text: {text}',
  'Text:\n{text}',
  'Here is one: {text}',
  'Input: {text}',
  '> {text}',
  'New text:\n{text}',
  '<text>{text}</text>',
  'This came in: {text}',
];

/** One more text for the same instruction. */
export const NEXT: readonly string[] = [
  'Next: {text}',
  'And this one: {text}',
  'Now this: "{text}"',
  'The same for this one:\n{text}',
  'Another one:\n\n{text}',
  'Next text:\n{text}',
  'Do the same with this:\n{text}',
  'Thanks. Now this: {text}',
  'Good. And this?\n\n{text}',
  'One more: "{text}"',
  'Now the next one:\n{text}',
  'Here is another text. {text}',
  'Text: {text}',
  'Again, please:\n{text}',
];

/** An example after the instruction. */
export const EXAMPLES: readonly string[] = [
  '{ask}\n\nExample:\n{exampleText}\n{exampleAnswer}',
  '{ask}\n\nExample text: {exampleText}\nExample answer: {exampleAnswer}',
  '{ask}\n\nFor example, "{exampleText}" gives:\n{exampleAnswer}',
  '{ask}\n\nText: {exampleText}\nAnswer: {exampleAnswer}',
  '{ask}\n\nInput: {exampleText}\nOutput: {exampleAnswer}',
  '{ask}\n\nHere is how it is done:\n"{exampleText}"\n-> {exampleAnswer}',
  '{ask}\n\nFor the text\n{exampleText}\nthe answer is\n{exampleAnswer}',
  '{ask}\n\nExample\n> {exampleText}\n{exampleAnswer}',
  '{ask}\n\nIf the text is: {exampleText}\nyou write: {exampleAnswer}',
  '{ask}\n\n[Example] {exampleText} => {exampleAnswer}',
];
