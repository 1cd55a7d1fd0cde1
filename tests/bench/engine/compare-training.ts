// A step of training, here and in PyTorch, where a Python has it, in each precision: all of them take turns.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Example } from '../../../lib/engine/train/packing.js';
import { median } from '../median.js';
import type { Row } from '../table.js';
import type { Introduction, Round } from './measure.js';
import { type PeerIntroduction, PRECISIONS, startPeer } from './peer.js';
import { type Measured, startMeasured, tsx } from './turns.js';

const script = fileURLToPath(new URL('measure.ts', import.meta.url));

const ROUNDS = 7;
const WEIGHTS = ['f32', 'int8'] as const;

interface Peer {
  introduction: PeerIntroduction;
  precision: string;
  stepMs: number[];
}

/** A row for each form of the weights. */
export async function compareTraining(modelFolder: string, examples: readonly Example[]): Promise<Row[]> {
  const work = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const ours: Measured<Introduction, Round>[] = [];
  const peers: Measured<PeerIntroduction, { stepMs: number }>[] = [];
  try {
    const rows = examples.map(({ ids, supervised }) => ({
      ids: Array.from(ids),
      supervised: Array.from(supervised, Number),
    }));
    await writeFile(join(work, 'rows.json'), JSON.stringify(rows));
    for (const weights of WEIGHTS) {
      const args = ['--import', tsx, script, modelFolder, work, weights];
      ours.push(await startMeasured<Introduction, Round>(process.execPath, args));
    }
    for (const precision of PRECISIONS) {
      const peer = await startPeer(modelFolder, work, precision);
      if (peer) peers.push(peer);
    }
    const ourRounds: Round[][] = ours.map(() => []);
    const peerMs: number[][] = peers.map(() => []);
    for (let i = 0; i < ROUNDS; i++) {
      for (const [at, one] of ours.entries()) ourRounds[at]!.push(await one.next());
      for (const [at, peer] of peers.entries()) peerMs[at]!.push((await peer.next()).stepMs);
    }
    const described = peers.map(({ introduction }, i) => ({
      introduction,
      precision: PRECISIONS[i]!,
      stepMs: peerMs[i]!,
    }));
    return WEIGHTS.map((weights, i) => ({
      weights,
      ...describeRounds(ours[i]!.introduction, ourRounds[i]!, described),
    }));
  } finally {
    await Promise.all([...ours, ...peers].map(one => one.close()));
    await rm(work, { recursive: true });
  }
}

function describeRounds(
  { tokens, passes, roundingMs, sessionMs, peakMB }: Introduction,
  rounds: readonly Round[],
  peers: readonly Peer[],
): Row {
  const perSecond = (count: number, ms: number) => (count / ms) * 1000;
  const steps = rounds.map(({ stepMs }) => perSecond(tokens, stepMs));
  return {
    tokens,
    passes,
    'step ms': Math.round(median(rounds.map(({ stepMs }) => stepMs))),
    'tokens/s': Math.round(median(steps)),
    'products ms': Math.round(median(rounds.map(({ productsMs }) => productsMs))),
    'step / products': median(rounds.map(({ stepMs, productsMs }) => stepMs / productsMs)).toFixed(2),
    'rounding ms': Math.round(roundingMs),
    'session ms': Math.round(sessionMs),
    'peak MB': Math.round(peakMB),
    peer: peers[0]?.introduction.peer ?? 'no Python with torch here',
    ...Object.fromEntries(
      peers.flatMap(({ introduction, precision, stepMs }) => {
        const theirs = stepMs.map(ms => perSecond(introduction.tokens, ms));
        return [
          [`${precision} tokens/s`, Math.round(median(theirs))],
          [`times ${precision}`, median(steps.map((speed, i) => speed / theirs[i]!)).toFixed(2)],
        ];
      }),
    ),
  };
}
