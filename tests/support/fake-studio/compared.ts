// Runs of the same trainer with other settings, for pictures of a comparison.
import { sampleJob } from '../samples.js';
import { fillDemo } from './demo.js';
import { BASE_MODEL, type World } from './world.js';

const RATES = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016];
const STEPS = 120;
const START = Date.UTC(2026, 2, 6, 9);

export const COMPARED_IDS = RATES.map(
  (_, index) => `${'abcdef'[index]}7d9a1c5-3f0b-4a8e-9b1d-0c5e6f7a8b9${index}`,
);

export function addCompared(world: World): void {
  fillDemo(world);
  RATES.forEach((learningRate, index) => {
    addRun(world, index, learningRate);
  });
}

/** The last one goes on. */
function addRun(world: World, index: number, learningRate: number): void {
  const id = COMPARED_IDS[index]!;
  const isLast = index === RATES.length - 1;
  const at = (step: number) => new Date(START + step * (400 + 60 * index)).toISOString();
  world.jobs.unshift(
    sampleJob({
      id,
      name: index % 2 === 0 ? 'triage' : `triage with rate ${learningRate}`,
      status: isLast ? 'running' : 'completed',
      createdAt: at(0),
      startedAt: at(0),
      completedAt: isLast ? null : at(STEPS),
      totalSteps: STEPS,
      artifactCount: 3,
      config: { model: BASE_MODEL, learningRate, loraR: index < 3 ? 8 : 16, seed: 42 },
    }),
  );
  const log = world.eventsOf(id);
  log.push('training.started', { timestamp: at(0), totalSteps: STEPS, trainTokens: 12_000 });
  for (let step = 1; step <= (isLast ? 70 : STEPS); step++) {
    const noise = Math.sin(step * (3 + index)) * 0.12;
    const loss =
      0.15 + index * 0.06 + (3 + noise) * Math.exp((-step * (index + 1)) / 60) + Math.abs(noise) * 0.3;
    log.push('training.log', {
      timestamp: at(step),
      step,
      loss,
      tokens: 2048,
      tokensPerSecond: 3000 - 120 * index,
      ...(step % 20 === 0 && { evalLoss: loss * 1.1 + 0.05 }),
    });
  }
  if (isLast) return;
  log.push('training.completed', { timestamp: at(STEPS), artifacts: [{}, {}, {}] });
  log.push('end', { status: 'completed' });
}
