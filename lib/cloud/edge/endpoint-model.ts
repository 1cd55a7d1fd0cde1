// An endpoint's models, as its callers see them: the one that it serves, whatever they name.
import { ApiError, type Model } from '../../contract/index.js';
import type { ServedModel } from '../inference/served-model.js';
import type { CalledModels } from '../openai/operations.js';

interface EndpointModel {
  /** When the endpoint was created. */
  createdAt: string;
  /** Looks up the target afresh. */
  serve(): Promise<ServedModel>;
}

export function toCalledModels({ createdAt, serve }: EndpointModel): CalledModels {
  const created = Math.floor(Date.parse(createdAt) / 1000);
  /** It has the name that answers give in `model`. */
  const read = async (): Promise<Model> => ({
    id: (await serve()).name,
    object: 'model',
    created,
    owned_by: 'svc',
  });

  return {
    serve,
    list: async () => [await read()],
    async get(id) {
      const model = await read();
      if (model.id === id) return model;
      throw new ApiError('model_not_found', `This endpoint serves \`${model.id}\`, not \`${id}\`.`, {
        param: 'model',
      });
    },
  };
}
