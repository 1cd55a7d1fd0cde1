// Numbers exactly as sent. `JSON.parse` turns `2.50` into 2.5 and rounds long ones, but the event log shows what was
// sent, so a top-level field's text is looked up in the original JSON.

const VALUE = /\s*:\s*([^\s,}]+)/y;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The text of a top-level number in a valid JSON object; null if the field is missing or not a number. */
export function numberText(json: string, field: string): string | null {
  const text = isFlat(json) ? flatText(json, field) : nestedText(json, field);
  return text !== null && /^[-\d]/.test(text) ? text : null;
}

/** Without nested values or escapes, a quoted name before a colon can only be a field. */
function isFlat(json: string): boolean {
  return !json.includes('\\') && !json.includes('[') && json.indexOf('{') === json.lastIndexOf('{');
}

/** With duplicate names the last field wins, as in JSON.parse. */
function flatText(json: string, field: string): string | null {
  const name = `"${field}"`;
  for (let at = json.lastIndexOf(name); at >= 0; at = at > 0 ? json.lastIndexOf(name, at - 1) : -1) {
    VALUE.lastIndex = at + name.length;
    const value = VALUE.exec(json);
    if (value) return value[1]!;
  }
  return null;
}

function nestedText(json: string, field: string): string | null {
  let depth = 0;
  let name = '';
  let last = '';
  let found: string | null = null;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':' && depth === 1) name = JSON.parse(last) as string;
    else if (last === ':' && depth === 1 && name === field) found = token;
    last = token;
  }
  return found;
}
