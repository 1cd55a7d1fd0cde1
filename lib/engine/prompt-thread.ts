// The thread of the serving process that writes long prompts.
import { servePrompts } from './tasks/serve-prompts.js';

servePrompts();
