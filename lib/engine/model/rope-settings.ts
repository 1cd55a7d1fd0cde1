// How a layer turns queries and keys by position, as a `config.json` says it.
import { ModelError, readNumber, type Settings } from './settings.js';

export interface Rope {
  theta: number;
  scaling: RopeScaling | null;
}

/** `linear`: positions are divided by the factor. `llama3`: only low frequencies are. */
export type RopeScaling =
  | { kind: 'linear'; factor: number }
  | {
      kind: 'llama3';
      factor: number;
      lowFrequencyFactor: number;
      highFrequencyFactor: number;
      originalPositions: number;
    };

/** Of layers with or without a window, which may have a base of their own, under the name `windowTheta`. */
export function readRope(
  json: Settings,
  file: string,
  { isWindowed, windowTheta }: { isWindowed: boolean; windowTheta: string | undefined },
): Rope {
  const settings = ropeSettings(json, isWindowed ? windowTheta : undefined, isWindowed);
  const theta = readNumber(settings, 'rope_theta', file, 10_000);
  return { theta, scaling: readScaling(settings, file) };
}

/**
 * Older files have `rope_theta` and `rope_scaling`; newer ones have both in `rope_parameters`, which may tell kinds of
 * layers apart. Older files with bases for both scale only layers without a window.
 */
function ropeSettings(json: Settings, windowTheta: string | undefined, isWindowed: boolean): Settings {
  const given = (json.rope_parameters ?? {}) as Settings;
  const ofKind = given[isWindowed ? 'sliding_attention' : 'full_attention'] as Settings | undefined;
  const theta = { rope_theta: json[windowTheta ?? 'rope_theta'] };
  if (windowTheta) return { ...theta, ...ofKind };
  return { ...theta, ...(json.rope_scaling as Settings | undefined), ...(ofKind ?? given) };
}

function readScaling(settings: Settings, file: string): RopeScaling | null {
  const kind = (settings.rope_type ?? settings.type ?? 'default') as 'default' | RopeScaling['kind'];
  const read = (name: string) => readNumber(settings, name, file);
  switch (kind) {
    case 'default':
      return null;
    case 'linear':
      return { kind, factor: read('factor') };
    case 'llama3':
      return {
        kind,
        factor: read('factor'),
        lowFrequencyFactor: read('low_freq_factor'),
        highFrequencyFactor: read('high_freq_factor'),
        originalPositions: read('original_max_position_embeddings'),
      };
    default:
      throw new ModelError(`${file}: rope scaling ${JSON.stringify(kind)} is not supported.`);
  }
}
