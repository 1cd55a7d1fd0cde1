// Another project, without svc: `svc endpoints client triage` wrote triage.ts, which has the types of the task.
import { connect, TaskError } from './triage.js';

const ask = connect(process.env.TRIAGE_KEY === undefined ? {} : { apiKey: process.env.TRIAGE_KEY });
const message = process.argv[2] ?? 'The app rejects my username. Please look at it today.\nThanks, Anthony';

try {
  const { desk, heat, ref, who } = await ask(message);
  console.log(`${desk}, urgency ${heat}, order ${ref}, from ${who}`);
} catch (error) {
  if (!(error instanceof TaskError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
