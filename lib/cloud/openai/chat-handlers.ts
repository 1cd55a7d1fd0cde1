// The Playground's chat, with the base model or one of the caller's adapters.
import type { CloudRoutes, InferenceRequest, Target } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { ServedModels } from '../inference/served-model.js';
import type { AnswerChat } from './answer-chat.js';
import { fromInferenceRequest } from './chat-task.js';

interface ChatContext {
  access: Access;
  models: ServedModels;
  answer: AnswerChat;
}

export function chatHandlers({ access, models, answer }: ChatContext): Handlers<Pick<CloudRoutes, 'chat'>> {
  return {
    async chat({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      const served = await models.resolve(orgId, toTarget(body), { param: 'baseModel' });
      return answer(fromInferenceRequest(body), { ...served, caller: orgId }, request.signal);
    },
  };
}

/** The schema guarantees exactly one of the two. */
function toTarget({ adapter, baseModel = '' }: InferenceRequest): Target {
  return adapter ? { kind: 'adapter', adapter } : { kind: 'base_model', baseModel };
}
