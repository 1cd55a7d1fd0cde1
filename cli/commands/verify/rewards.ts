// A run that learned from its trainer's own reward function: the project's trainer rewards the answers of the repetition.
import { type Job, needsProgram } from '../../../lib/contract/index.js';
import {
  createRewarder,
  findRewardMisfit,
  rewardFailure,
  type Session,
  type TrainerOptions,
} from '../../../lib/sdk/index.js';
import { CommandError } from '../../command.js';
import type { SessionContext } from '../project/session-command.js';
import { prepareTrainer } from '../start/prepare.js';

/** Null for a run that needs no program. Throws if the project's trainer cannot give the rewards. */
export async function loadRewardingTrainer(
  { io, note }: Pick<SessionContext, 'io' | 'note'>,
  job: Job,
): Promise<TrainerOptions | null> {
  if (!needsProgram(job)) return null;
  const { options } = await prepareTrainer(io.cwd, undefined, note);
  const problem = findRewardMisfit(options, job);
  if (problem !== null)
    throw new CommandError(
      `${problem} Build the entry of the trainer that started it with "svc build ENTRY", then run "svc verify" again.`,
    );
  note(`Rewards come from the trainer ${options.name} as it is now.`);
  return options;
}

/** Rewards a job's answers until it is stopped. `onRefused`: the cloud does not accept the rewards. */
export function giveRewards(
  options: TrainerOptions,
  jobId: string,
  session: Session,
  { note, onRefused }: { note(line: string): void; onRefused(error: unknown): void },
): () => void {
  const rewarder = createRewarder(options, jobId, session, {
    onRewardsFailed: failure => note(`! ${rewardFailure(failure)}`),
  });
  rewarder?.serve().catch(onRefused);
  return () => rewarder?.stop();
}
