// Makes a line of the cloud's log readable: JSON becomes a time and a sentence; other output stays as it is.

export function toLogText(line: string): string {
  const { at, message, error, method, path, requestId } = parse(line);
  if (typeof at !== 'string') return line;
  const what = message ?? `${method} ${path} failed (request ${requestId})`;
  return [`${at}  ${what}`, ...(typeof error === 'string' ? [indent(error)] : [])].join('\n');
}

function parse(line: string): Record<string, unknown> {
  try {
    return (JSON.parse(line) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
