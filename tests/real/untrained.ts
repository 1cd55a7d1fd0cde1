import { type ModelSource, moduleShape } from '../../lib/engine/model/index.js';
import { writeAdapter } from '../../lib/engine/weights/index.js';

/** An adapter that changes nothing. */
export async function writeUntrained({ config }: ModelSource, folder: string): Promise<string> {
  const [outputs, inputs] = moduleShape(config, 'self_attn.q_proj');
  const tensors = Array.from({ length: config.layers }, (_, layer) => ({
    ...{ layer, module: 'self_attn.q_proj' as const },
    ...{ a: new Float32Array(inputs), b: new Float32Array(outputs) },
  }));
  await writeAdapter(folder, { config: { rank: 1, alpha: 1 }, tensors });
  return folder;
}
