// The same from Node: runs the project's training in the Studio that `svc dev` runs in this folder, and follows its job.
// What it starts shows in the browser and in the terminal, too.
import { setTimeout as wait } from 'node:timers/promises';
import { connectStudio } from 'svc';

const studio = await connectStudio();
const { mode, cloudHost } = await studio.getIdentity();
console.log(`${mode} on ${cloudHost}`);

// What the trainer prints comes as text, as long as it runs. It goes on when nobody reads.
const output = await studio.startTraining();
void output.body.cancel();

let { jobId } = await studio.getTrainStatus();
while (jobId === null) {
  await wait(200);
  const status = await studio.getTrainStatus();
  if (!status.running && status.jobId === null)
    throw new Error(`It ended with ${status.exitCode}, without a job.`);
  jobId = status.jobId;
}

for await (const { data } of studio.streamJobEvents(jobId)) {
  const event = JSON.parse(data);
  if (event.type === 'training.log' && event.loss !== undefined)
    console.log(`step ${event.step}: ${event.loss}`);
  if (event.type === 'end') console.log(`it ${event.status}`);
}
