// Entry of the thread in which the serving process writes long prompts.
import { servePrompts } from './tasks/serve-prompts.js';

servePrompts();
