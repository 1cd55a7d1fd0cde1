// Changes to an endpoint: sent one at a time, some only after a question.
import { type Ref, shallowRef } from 'vue';
import type { Question } from '../../lib/console/index.js';
import type { Deployment, DeploymentPatch } from '../../lib/contract/index.js';
import { studio } from '../studio.js';
import { useAttempt } from '../use-request.js';

export function useChange(deployment: Ref<Deployment>) {
  const { isBusy, refusal, attempt } = useAttempt();
  const asking = shallowRef<{ question: Question; act: () => Promise<void> }>();

  async function update(patch: DeploymentPatch): Promise<void> {
    deployment.value = (await studio.updateDeployment(deployment.value.id, patch)).deployment;
  }

  function ask(question: Question, patch: DeploymentPatch): void {
    refusal.value = undefined;
    asking.value = {
      question,
      async act() {
        await update(patch);
        // The change may have unmounted the dialog, whose `close` then has no effect.
        asking.value = undefined;
      },
    };
  }

  const change = (patch: DeploymentPatch) => attempt(() => update(patch));
  return { isBusy, refusal, asking, change, ask };
}
