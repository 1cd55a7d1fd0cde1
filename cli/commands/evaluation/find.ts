// Finds the evaluation that an argument names by its ID or a prefix of it.
import type { CloudClient } from '../../../lib/client/index.js';
import { subjectLabel } from '../../../lib/console/index.js';
import type { Evaluation } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { pickById } from '../project/find.js';
import { requireProjectClient } from '../project/project-client.js';

export async function findEvaluation(
  session: Session,
  typed: string,
): Promise<{ cloud: CloudClient; id: string }> {
  const cloud = await requireProjectClient(session, 'evaluations');
  const { evaluations } = await cloud.listEvaluations();
  const describe = ({ subject }: Evaluation) => subjectLabel(subject);
  const wording = { noun: 'evaluation', list: 'svc evals list', describe };
  return { cloud, id: pickById(typed, evaluations, wording).id };
}
