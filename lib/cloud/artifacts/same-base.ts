// Whether two base models are the same one: by their digests, since the same model may have other names. Names count only
// where a digest is not known.
export interface NamedModel {
  name: string;
  digest?: string | null | undefined;
}

export function isSameModel(one: NamedModel, other: NamedModel): boolean {
  const areKnown = one.digest != null && other.digest != null;
  return areKnown ? one.digest === other.digest : one.name === other.name;
}
