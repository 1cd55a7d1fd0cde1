// The models of a project, for graders of its jobs.

import type { AskJudge } from '../../grading/index.js';
import type { AnswerDeps } from '../answers/answer.js';
import { createAskJudge } from '../answers/ask-judge.js';
import type { ServedModels } from '../answers/models.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import { createProjectModels, readScope } from './models.js';

interface JudgeContext extends Omit<AnswerDeps, 'times'> {
  db: Db;
  deps: Pick<CloudDeps, 'baseModel'>;
  /** The models of this cloud. */
  models: () => ServedModels;
}

/** Gives way to callers of endpoints. */
export function createJobJudge({ db, deps, models, ...answerDeps }: JudgeContext) {
  const known = createProjectModels({ db, deps });
  return (projectId: string, signal: AbortSignal): AskJudge =>
    createAskJudge(answerDeps, async name => {
      const scope = await readScope(db, projectId);
      const { model, target } = await known.require(scope, name);
      const served = await models().resolve(scope.orgId, target);
      return { ...served, name: model.id, caller: projectId, isLowPriority: true, signal };
    });
}
