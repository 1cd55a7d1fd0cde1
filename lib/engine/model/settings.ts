// Reads numbers from a model's `config.json`. Errors name the file and the setting.

export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/** The content of a `config.json`. */
export type Settings = Readonly<Record<string, unknown>>;

export function readNumber(json: Settings, name: string, file: string, otherwise?: number): number {
  const value = json[name] ?? otherwise;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw new ModelError(`${file}: ${name} must be a positive number, not ${JSON.stringify(value)}.`);
}

export function readNumbers(json: Settings, name: string, file: string): number[] {
  const values = json[name];
  const isRight = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value > 0;
  if (Array.isArray(values) && values.every(isRight)) return values as number[];
  throw new ModelError(`${file}: ${name} must be a list of positive numbers.`);
}

export function readCount(json: Settings, name: string, file: string, otherwise?: number): number {
  const value = readNumber(json, name, file, otherwise);
  if (Number.isInteger(value)) return value;
  throw new ModelError(`${file}: ${name} must be a whole number, not ${value}.`);
}
