// Many random schemas, answered by the bundled model: `npm run structured-answers [-- COUNT [SEED]]`. Fails if an answer
// does not fit its schema. A hundred are also held against Python's jsonschema, where there is one.
import { spawnSync } from 'node:child_process';
import { answerSchemas } from '../engine/structure/answer-schemas.js';

const PYTHON = `
import json, sys
from jsonschema import Draft202012Validator
for line in sys.stdin:
    schema, text = json.loads(line)
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    for error in validator.iter_errors(json.loads(text)):
        print(error.message, line)
`;

const [count = 1000, seed = 11] = process.argv.slice(2).map(Number);
const { ended, invalid, fitting } = await answerSchemas(count, seed);
console.log(`${count} schemas: ${ended} answers ended by themselves, ${invalid.length} do not fit.`);
for (const { schema, text } of invalid) console.log(JSON.stringify(schema), text);
if (invalid.length > 0 || ended < count * 0.98) process.exitCode = 1;

// Python's own expressions have no Unicode properties.
const portable = fitting.filter(({ schema }) => !JSON.stringify(schema).includes('\\\\p')).slice(0, 100);
const input = portable.map(({ schema, text }) => `${JSON.stringify([schema, text])}\n`).join('');
const { status, stdout } = spawnSync('python3', ['-c', PYTHON], { input, encoding: 'utf8' });
if (status !== 0) console.log("Not held against Python's jsonschema, which is not installed.");
else {
  console.log(`${portable.length} held against Python's jsonschema. ${stdout}`);
  if (stdout !== '') process.exitCode = 1;
}
