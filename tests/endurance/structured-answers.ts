// Many random schemas, answered by the bundled model: `npm run structured-answers [-- COUNT [SEED]]`. Fails if an answer
// does not fit its schema.
import { answerSchemas } from '../engine/structure/answer-schemas.js';

const [count = 1000, seed = 11] = process.argv.slice(2).map(Number);
const { ended, invalid } = await answerSchemas(count, seed);
console.log(`${count} schemas: ${ended} answers ended, ${invalid.length} of them do not fit.`);
for (const { schema, text } of invalid) console.log(JSON.stringify(schema), text);
if (invalid.length > 0 || ended < count * 0.98) process.exitCode = 1;
