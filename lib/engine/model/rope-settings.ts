// How a layer turns queries and keys by position, as a `config.json` says it.
import { ModelError, readNumber, type Settings } from './settings.js';

export interface Rope {
  theta: number;
  scaling: RopeScaling | null;
}

/** `linear`: positions are divided by the factor. `llama3`, `yarn`: only low frequencies are. */
export type RopeScaling =
  | { kind: 'linear'; factor: number }
  | {
      kind: 'yarn';
      factor: number;
      /** How often a frequency turns within the original positions: from here on it is kept, and up to there divided. */
      fastTurns: number;
      slowTurns: number;
      originalPositions: number;
      /** The factor of what is turned. */
      magnitude: number;
    }
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
  const read = (name: string, otherwise?: number) => readNumber(settings, name, file, otherwise);
  switch (kind) {
    case 'default':
      return null;
    case 'linear':
      return { kind, factor: read('factor') };
    case 'yarn':
      refuseVariants(settings, file);
      return {
        kind,
        factor: read('factor'),
        fastTurns: read('beta_fast', 32),
        slowTurns: read('beta_slow', 1),
        originalPositions: read('original_max_position_embeddings'),
        magnitude: read('attention_factor', 0.1 * Math.log(Math.max(1, read('factor'))) + 1),
      };
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

function refuseVariants(settings: Settings, file: string): void {
  const changed = ['mscale', 'mscale_all_dim'].find(name => settings[name] != null);
  const name = changed ?? (settings.truncate === false && 'truncate');
  if (name) throw new ModelError(`${file}: rope scaling "yarn" with ${name} is not supported.`);
}
