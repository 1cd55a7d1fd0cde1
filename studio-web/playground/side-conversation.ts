// The conversation with the second model.
import { createConversation } from './use-chat.js';

export const sideConversation = createConversation();
