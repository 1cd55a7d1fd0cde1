// The conversations that the base model is trained on, and the random choices and values they are made from.
export { type Conversation, makeConversation, makeOfFamily } from './conversation.js';
export { createDraw, type Draw } from './draw.js';
export { drawDistinct, drawNoun } from './families/asking/content.js';
export { families } from './families/index.js';
export type { Turn } from './family.js';
export { fill } from './fill.js';
export { type Part, partOfValue } from './partition.js';
export { readTexts } from './texts.js';
export { createValues, type Values } from './values/index.js';
