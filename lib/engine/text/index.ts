// Entry point of a model's text: tokenizer, chat template, training examples.
export type { ChatMessage } from './chat-message.js';

export { NothingToLearnError, RowError, TextError } from './errors.js';
export { type ModelText, openText, type TextFacts } from './open-text.js';
export { type RowTexts, readRowTexts } from './row-texts.js';
