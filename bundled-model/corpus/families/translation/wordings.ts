// How people ask for a translation. `{language}` is the foreign language, also where English is asked for.

export const INTO = [
  'Translate into {language}.',
  'Translate this to {language}.',
  'Say this in {language}.',
  'Write this in {language}.',
  'How do you say this in {language}?',
  'Put this into {language}.',
  'Give me the {language} translation.',
  'What is this in {language}?',
  'Translate the text from English into {language}.',
  'I need this in {language}.',
  'Answer with the {language} translation only.',
  'You translate English into {language}.',
  'Change the language to {language}.',
  'Please write the {language} for this.',
];

export const INTO_MESSAGES = [
  'How do you say "{input}" in {language}?',
  'What is "{input}" in {language}?',
  'Translate "{input}" into {language}.',
  'Translate to {language}: {input}',
  '{language} for "{input}"?',
  'Can you translate this to {language}? {input}',
  'English: {input}\n{language}:',
  'I want to say "{input}" in {language}.',
  'In {language}, please: {input}',
  'Could you write "{input}" in {language} for me?',
  'Tell me the {language} for "{input}".',
  'How would a {language} speaker say "{input}"?',
  'I write to a friend in {language}. What is "{input}"?',
  'My teacher asks for the {language} of "{input}".',
];

export const BACK = [
  'Translate into English.',
  'Translate this to English.',
  'Say this in English.',
  'What does this mean in English?',
  'This is {language}. Put it into English.',
  'Give me the English translation.',
  'Translate the text from {language} into English.',
  'I need this in English.',
  'Answer with the English translation only.',
  'You translate {language} into English.',
  'What does this {language} text mean?',
  'Write the meaning in English.',
  'Please write the English for this.',
];

export const BACK_MESSAGES = [
  'What does "{input}" mean?',
  'What does "{input}" mean in English?',
  'Translate "{input}" from {language} to English.',
  'Translate to English: {input}',
  '{language}: {input}\nEnglish:',
  'Can you translate this from {language}? {input}',
  'What is "{input}" in English?',
  'I got this in {language}: {input} What does it mean?',
  'In English, please: {input}',
  'Somebody wrote "{input}". What is that in English?',
  'How do you say "{input}" in English?',
  'My {language} is bad. What does "{input}" mean?',
  'Tell me what "{input}" means in English.',
];

export const WHICH = [
  'Which language is this?',
  'What language is this?',
  'Name the language.',
  'In which language is this written?',
  'Is this English, French, Spanish or German?',
  'Tell me the language of the text.',
  'Find out the language.',
  'Say which language the user writes in.',
  'Answer with the name of the language.',
  'Detect the language of the text.',
];

export const WHICH_MESSAGES = [
  'What language is "{input}"?',
  'Which language is this: {input}',
  'Is "{input}" French, Spanish, German or English?',
  'Name the language of "{input}".',
  'Somebody wrote "{input}". Which language is that?',
  'I found this: {input} What language is it?',
  'Text: {input}\nLanguage:',
  'Do you know which language "{input}" is?',
];
