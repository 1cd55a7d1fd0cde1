// The head of a part of a form: which field it is, and the name of its file. Pure.
import { ApiError } from '../../contract/index.js';

export interface PartHead {
  name: string;
  /** Null if the part is not a file. Never a path to write to. */
  fileName: string | null;
}

/** Throws for a part without a name, and for one in an encoding that forms no longer have. */
export function readPartHead(bytes: Uint8Array): PartHead {
  const headers = readHeaders(new TextDecoder().decode(bytes));
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!PLAIN_ENCODINGS.has(encoding))
    throw malformed(`a part is encoded as ${encoding.slice(0, 40)}, which forms do not allow`);
  const { type, parameters } = readDisposition(headers.get('content-disposition') ?? '');
  const name = parameters.get('name');
  if (type !== 'form-data' || name === undefined)
    throw malformed('a part has no `Content-Disposition: form-data` with a name');
  return { name: decodeName(name), fileName: readFileName(parameters) };
}

export function malformed(reason: string): ApiError {
  return new ApiError('malformed_request', `The form is malformed: ${reason}.`);
}

const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined) throw malformed('a part has a header without a name');
    if (headers.has(name.toLowerCase())) throw malformed(`a part has two headers \`${name.slice(0, 40)}\``);
    headers.set(name.toLowerCase(), value!.trim());
  }
  return headers;
}

/** A quoted value, in which a backslash escapes a character, or a plain one. */
const PARAMETER = /;[ \t]*([!#$%&'*+.^`|~\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y;

function readDisposition(value: string): { type: string; parameters: Map<string, string> } {
  const type = /^[^;\s]*[ \t]*/.exec(value)![0];
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = type.length;
  while (PARAMETER.lastIndex < value.length) {
    const [, name, quoted, plain] = PARAMETER.exec(value) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase()))
      throw malformed('a part has an invalid `Content-Disposition`');
    parameters.set(name.toLowerCase(), quoted === undefined ? plain! : quoted.replace(/\\(["\\])/g, '$1'));
  }
  return { type: type.trim().toLowerCase(), parameters };
}

/** Some clients send names that are not ASCII only in the extended form. */
function readFileName(parameters: ReadonlyMap<string, string>): string | null {
  const plain = parameters.get('filename');
  if (plain !== undefined) return decodeName(plain);
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '') ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw malformed('the name of a file is not valid UTF-8');
  }
}

/** Browsers and Node escape these three characters in names, and nothing else. */
function decodeName(name: string): string {
  return name.replace(/%22|%0D|%0A/gi, escaped => decodeURIComponent(escaped));
}
