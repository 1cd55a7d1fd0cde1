// The words around a task that do not depend on it.

export const PLAIN_SYSTEMS = [
  'You are a helpful assistant.',
  'You are a careful assistant.',
  'You answer briefly.',
  'Answer as shortly as you can.',
  'You are a helpful and exact assistant.',
  'You follow instructions to the letter.',
  'Do what the user asks. Add nothing.',
  'You are an office assistant.',
  'Help the user with small tasks.',
  'Give the answer and nothing else.',
  'Be exact and brief.',
  'You help people with texts, lists and numbers.',
];

export const SYSTEM_FRAMES = [
  '{instruction}',
  '{instruction} Give only the answer.',
  '{instruction} Answer with the result and nothing else.',
  'Your task: {instruction}',
  'Your job: {instruction}',
  'You get one message at a time. {instruction}',
  'You are a helpful assistant. {instruction}',
  'Do this with every message of the user. {instruction}',
  'The user sends you the input. {instruction}',
  'Follow this instruction: {instruction}',
  'This is your only task. {instruction}',
  '{instruction} Do not explain anything.',
  '{instruction} Do not add anything else.',
  'For each message, do the following. {instruction}',
  'Instruction: {instruction}',
  'You do one thing only. {instruction}',
];

/** How a user asks for the same once more. */
export const FOLLOW_UPS = [
  'And this: {input}',
  'Now this: {input}',
  'And now: {input}',
  'Next: {input}',
  'The same for this: {input}',
  'Next one: {input}',
  'Thanks. And this one: {input}',
  'One more: {input}',
  'Do the same with this: {input}',
  'Good. Now this one: {input}',
  'Again, please: {input}',
  'Another one: {input}',
  'And what about this? {input}',
  'Here is the next one: {input}',
];

export const EXAMPLES = [
  'Example:\n{example}\n{answer}\n\nNow yours:\n{input}',
  'Example input: {example}\nExample answer: {answer}\n\nInput: {input}',
  'Here is an example.\nInput: {example}\nOutput: {answer}\n\nInput: {input}\nOutput:',
  'For example:\n{example} => {answer}\n\n{input} =>',
  'Example: {example} -> {answer}\n\nNow do it for: {input}',
  'Like this:\nQ: {example}\nA: {answer}\n\nQ: {input}\nA:',
  'For this input:\n{example}\nthe answer is:\n{answer}\n\nThe new input:\n{input}',
  'Sample:\n{example}\nResult: {answer}\n\nYour turn:\n{input}',
  'Example\nBefore: {example}\nAfter: {answer}\n\nBefore: {input}\nAfter:',
  'One example: from "{example}" you get "{answer}".\n\n{input}',
];
