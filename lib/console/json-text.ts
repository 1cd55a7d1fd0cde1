// Numbers as they were written. `JSON.parse` turns `2.50` into 2.5 and rounds long ones; the event log shows what
// was sent, so the text of a top-level field is looked up in the text it came in.

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The text of a top-level field's number in a valid JSON object; null when the field is missing or no number. */
export function numberText(json: string, field: string): string | null {
  let depth = 0;
  let name = '';
  let last = '';
  let found: string | null = null;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':' && depth === 1) name = JSON.parse(last) as string;
    // The last field of a name wins, as it does for JSON.parse.
    else if (last === ':' && depth === 1 && name === field) found = /^[-\d]/.test(token) ? token : null;
    last = token;
  }
  return found;
}
