// What stands around the matter of a text: greetings, who writes, how to reach them, goodbyes. It fits every theme.

export const GREETINGS: readonly string[] = [
  'Hello,',
  'Hi,',
  'Hi there,',
  'Good morning,',
  'Good afternoon,',
  'Good evening,',
  'Dear team,',
  'Hello everyone,',
  'Dear sir or madam,',
  'Hey,',
  'Hi all,',
  'Hello again,',
  'Good day,',
  'Dear all,',
];

export const INTRODUCTIONS: readonly string[] = [
  'My name is {name}.',
  'This is {name}.',
  'I am {name}.',
  'My name is {name} and I need some help.',
  '{name} here.',
  'This message is from {name}.',
  '{name} is my name.',
  'I am writing to you, my name is {name}.',
  'You are reading a message from {name}.',
  'I, {name}, am writing to you about this.',
  'It is me, {name}.',
  'My full name is {name}.',
];

export const CONTACTS: readonly string[] = [
  'You can reach me at {phone}.',
  'My email is {email}.',
  'Please call {phone}.',
  'Please write to {email}.',
  'My phone number is {phone}.',
  'Send the answer to {email}.',
  'Call me at {phone} after {time}.',
  'I can be reached at {email} or {phone}.',
  'My number is {phone}.',
  'An answer to {email} would be best.',
  'If you have questions, call {phone}.',
  'Mail me at {email}.',
  'Text me at {phone}.',
  'You can also text {phone}.',
  'For questions: {email}.',
  'My new number is {phone}, my mail {email}.',
];

/** They say nothing that is asked for. */
export const REMARKS: readonly string[] = [
  'Thank you for your help.',
  'Please let me know soon.',
  'I hope to hear from you.',
  'What can we do about it?',
  'Please take care of this.',
  'I look forward to your answer.',
  'Is there anything else you need from me?',
  'Sorry for the trouble.',
  'I am happy to answer questions.',
  'That would be great.',
  'Have a nice day.',
  'It is quite important to me.',
  'There is no hurry.',
  'I hope that this is all right.',
  'Please write back.',
  'Thanks in advance.',
];

export const SIGN_OFFS: readonly string[] = [
  'Thanks, {name}',
  'Best regards, {name}',
  'Best, {name}',
  'Kind regards\n{name}',
  'Yours, {name}',
  'Regards, {name}',
  'Thank you!\n{name}',
  '- {name}',
  'Many thanks\n{name}',
  'Greetings, {name}',
  'Bye, {name}',
  'Sincerely, {name}',
  'All the best\n{name}',
  'Cheers, {name}',
];
