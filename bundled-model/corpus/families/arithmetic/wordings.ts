// How people ask for a calculation.

/** Around an expression, such as "12 + 7". */
export const CALCULATE = [
  'Calculate this.',
  'Give the result.',
  'What is the result?',
  'Work this out.',
  'Solve this.',
  'Give me the number that this makes.',
  'Calculate and give me the number alone.',
  'Do the math.',
  'Compute the result.',
  'You are a calculator.',
  'How much is this?',
  'Find the answer.',
];

export const CALCULATE_MESSAGES = [
  'What is {input}?',
  'How much is {input}?',
  '{input} = ?',
  '{input} =',
  'Calculate {input}.',
  'Can you work out {input}?',
  'Solve {input}.',
  'Tell me what {input} is.',
  '{input} is how much?',
  'I need the result of {input}.',
  'Do you know {input}?',
  'What do I get for {input}?',
  'Compute {input}, please.',
  'What does {input} make?',
];

/** Around a question that could stand alone. */
export const NUMBER_ONLY = [
  'Answer with the number only.',
  'Write just the number.',
  'Give only the number.',
  'The answer is a number, nothing else.',
  'Only the number, please.',
  'Reply with one number.',
  'No words, just the number.',
  'Answer in digits only.',
  'Answer with digits and nothing else.',
  'One number is enough as an answer.',
];

export const YES_OR_NO = [
  'Answer yes or no.',
  'Say Yes or No.',
  'Only yes or no, please.',
  'Reply with yes or no.',
  'Write Yes or No and nothing else.',
  'Is it so? Answer yes or no.',
  'A yes or a no is enough.',
  'Answer with one word, yes or no.',
];

export const SHORT_SENTENCE = [
  'Answer in one short sentence.',
  'Give a short sentence as the answer.',
  'Solve the problem and answer in a sentence.',
  'Answer the question in one sentence.',
  'Work this out and answer with a sentence.',
  'Reply with one short sentence.',
  'Read the story and answer the question.',
  'Give the answer as a sentence.',
];

export const PLUS = [
  'What is {a} plus {b}?',
  'Add {b} to {a}.',
  'What is the sum of {a} and {b}?',
  'How much is {a} and {b} together?',
  'I have {a} and get {b} more. How many are that?',
  'What do {a} and {b} make?',
  'Add up {a} and {b}.',
  'What is {b} more than {a}?',
  'Which number is {b} more than {a}?',
  'Add {a} and {b}.',
];

export const MINUS = [
  'What is {a} minus {b}?',
  'Take {b} away from {a}.',
  'Subtract {b} from {a}.',
  'What is left of {a} without {b}?',
  'How much is {a} less {b}?',
  'What is the difference between {a} and {b}?',
  'I had {a} and lost {b}. How many are left?',
  'What is {b} less than {a}?',
  'Which number is {b} less than {a}?',
  'How much is missing from {b} to {a}?',
];

export const TIMES = [
  'What is {a} times {b}?',
  'Multiply {a} by {b}.',
  'How much is {a} times {b}?',
  'What is the product of {a} and {b}?',
  'What do you get for {a} times {b}?',
  'Multiply {a} and {b}.',
  'How much are {a} groups of {b}?',
  'What is {a} multiplied by {b}?',
];

export const PARTS = [
  'What is {a} divided by {b}?',
  'Divide {a} by {b}.',
  'How many times does {b} go into {a}?',
  'Split {a} into {b} equal parts. How big is each?',
  'How much is {a} divided by {b}?',
  'What do you get when you divide {a} by {b}?',
  'Share {a} between {b}. How much does each get?',
  'What does {a} make when divided by {b}?',
];

export const MISSING = [
  '{b} + ? = {a}',
  'What must I add to {b} to get {a}?',
  'Which number is missing? {b} + __ = {a}',
  '{b} plus what is {a}?',
  'How much more than {b} is {a}?',
  'Fill the gap: {b} + _ = {a}',
  'I have {b} and need {a}. How many more do I need?',
  'From {b} to {a}: how far is it?',
];

export const DOUBLE = [
  'What is double {a}?',
  'Double {a}.',
  'How much is twice {a}?',
  'What is two times {a}?',
  'What do you get if you double {a}?',
  'Which number is twice as big as {a}?',
  'Take {a} twice. How much is it?',
  'Twice {a} is what?',
];

export const HALF = [
  'What is half of {a}?',
  'Halve {a}.',
  'How much is half of {a}?',
  'Which number is half of {a}?',
  'What do you get if you halve {a}?',
  'Half of {a} is what?',
  'Cut {a} in half. How much is each half?',
  'Two people share {a}. How much does each get?',
];

export const BIGGER = [
  'Which is bigger, {a} or {b}?',
  'Which number is larger, {a} or {b}?',
  'What is more, {a} or {b}?',
  'Name the bigger number: {a} or {b}.',
  '{a} or {b}: which is higher?',
  'Of {a} and {b}, which is the greater number?',
  'Give me the larger of {a} and {b}.',
  'Is {a} or {b} the bigger number?',
];

export const SMALLER = [
  'Which is smaller, {a} or {b}?',
  'Which number is lower, {a} or {b}?',
  'What is less, {a} or {b}?',
  'Name the smaller number: {a} or {b}.',
  '{a} or {b}: which is lower?',
  'Of {a} and {b}, which is the smaller number?',
  'Give me the smaller of {a} and {b}.',
  'Is {a} or {b} the smaller number?',
];

export const IS_MORE = [
  'Is {a} more than {b}?',
  'Is {a} bigger than {b}?',
  'Is {a} larger than {b}?',
  'Is {a} greater than {b}?',
  'Is the number {a} higher than {b}?',
  'True or not: {a} is more than {b}?',
  'Do I have more with {a} than with {b}?',
  'Does {a} come after {b} when you count?',
];

export const IS_LESS = [
  'Is {a} less than {b}?',
  'Is {a} smaller than {b}?',
  'Is {a} lower than {b}?',
  'Is the number {a} below {b}?',
  'True or not: {a} is less than {b}?',
  'Do I have less with {a} than with {b}?',
  'Does {a} come before {b} when you count?',
  'Is {a} under {b}?',
];

export const NEXT = [
  'Which number comes next? {list}',
  'What comes next: {list}, ?',
  'Continue with one number: {list}',
  '{list}, ... What is the next number?',
  'Find the next number: {list}',
  'How does this go on? {list}',
  'What number follows? {list}',
  'I count {list}. What comes then?',
];
