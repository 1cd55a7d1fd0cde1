// A program that reads a GGUF file into a folder, if it is given any, and then prints its problem and its peak of memory.
import { convertGguf } from '../../lib/engine/gguf/index.js';

const [file, folder] = process.argv.slice(2);
let problem: string | null = null;
if (file !== undefined)
  await convertGguf(file, folder!, () => undefined).catch((error: Error) => {
    problem = error.message;
  });
console.log(JSON.stringify({ problem, peakBytes: process.resourceUsage().maxRSS * 1024 }));
